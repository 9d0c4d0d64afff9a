/**
 * Ends the groups when this process can no longer: killed by force, it runs none of its own code.
 *
 * One small `sh` in a session of its own is told of each group as it starts and ends. Its standard input is a pipe from this
 * process, which the system closes however this process ends; then it kills what is left, programs that the children started
 * included, and is gone (tests/core/sandbox/process_group_test.ts).
 *
 * @module
 */

/** `kill -9 -ID` is what every `sh` understands; a group that has ended is an error nobody needs to hear. */
const SCRIPT = `trap '' INT TERM HUP QUIT
groups=" "
while read -r change group; do
  case $change in
    +) groups="$groups$group " ;;
    -) groups="\${groups%% $group *} \${groups#* $group }" ;;
  esac
done
for group in $groups; do kill -9 -"$group"; done
`;

/** Knows which groups run. Nothing is started before the first. */
class Reaper {
  #writer: WritableStreamDefaultWriter<Uint8Array> | undefined;

  /** A group has started. */
  add(group: number): void {
    this.#tell(`+ ${group}\n`);
  }

  /** A group has ended: the system may use its number again. */
  remove(group: number): void {
    this.#tell(`- ${group}\n`);
  }

  #tell(line: string): void {
    this.#writer ??= start();
    // A reaper that somebody ended costs the protection, not the work.
    this.#writer.write(new TextEncoder().encode(line)).catch(() => {});
  }
}

function start(): WritableStreamDefaultWriter<Uint8Array> {
  const process = new Deno.Command("/bin/sh", {
    args: ["-c", SCRIPT],
    clearEnv: true,
    cwd: "/",
    stdin: "piped",
    stdout: "null",
    stderr: "null",
    detached: true,
  }).spawn();
  process.unref();
  return process.stdin.getWriter();
}

/** The reaper of this process. */
export const reaper = new Reaper();
