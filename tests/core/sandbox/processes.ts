/**
 * Whether processes are gone.
 *
 * @module
 */

/** For tests that look at processes in `/proc`. */
export const linux = { ignore: Deno.build.os !== "linux" };

/** Resolves when a process is gone, reaped by whoever has to. Nobody else's child can be waited for: it is looked at. */
export async function gone(pid: number): Promise<void> {
  if (!Number.isInteger(pid) || pid <= 0) throw new TypeError(`${pid} is no process`);
  for (;;) {
    const state = await Deno.readTextFile(`/proc/${pid}/stat`).catch(() => "");
    if (state === "" || /\) Z /.test(state)) return;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
