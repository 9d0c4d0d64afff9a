/**
 * A child in a process group of its own, bounded in time and memory, and gone on every exit path: its end, its limits, a
 * stop, the end of this process, and its violent end too.
 *
 * Invariants (tests/core/sandbox/process_group_test.ts)
 * 1. When a child is over, nothing of its group runs any more.
 * 2. A group whose limit is passed or whose signal aborts is killed at once, whatever it does about signals.
 * 3. When this process is killed by force, its groups are killed, with all that runs in them.
 * 4. No variable of our environment reaches a child but those named.
 *
 * @module
 */
import { CAN_WATCH_MEMORY, type ChildEnd, type Limits } from "./limits.ts";
import { reaper } from "./reaper.ts";

/** Whether a group has a number to end it by, and a `sh` to limit it; elsewhere the child alone is ended. */
const HAS_GROUPS = Deno.build.os !== "windows";

/** How often memory is looked at, in milliseconds. */
const LOOK_EVERY_MS = 100;

/** What is started. */
export interface GroupOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd?: string;
  /** The whole environment of the child. */
  readonly env: Readonly<Record<string, string>>;
  readonly stdin: "piped" | "null";
  /** Megabytes each of its processes may have, held by the system where it can; what it starts is held to it too. */
  readonly eachMb?: number;
}

/**
 * A command below limits of the system: no core dump, and so many kilobytes of memory where that can be held. The shell becomes
 * the command, so that its end is the command's.
 */
const LIMITED = 'ulimit -c 0; ulimit -d "$0" 2>/dev/null; exec "$@"';

/** What a child is really started as. */
type Started = Pick<GroupOptions, "command" | "args">;

/** A running group. */
export interface Group {
  readonly child: Deno.ChildProcess;
  /** Resolves when the child is over and its group is gone. */
  readonly ended: Promise<ChildEnd>;
  /** Kills the whole group. */
  kill(): void;
}

const running = new Set<Group>();

// A normal end of this process takes every group with it.
globalThis.addEventListener("unload", () => {
  for (const group of running) group.kill();
});

/** Starts a child as the leader of a group. `limits` count from now; without them it lives until it is killed. */
export function startGroup(options: GroupOptions, limits?: Partial<Limits>, signal?: AbortSignal): Group {
  signal?.throwIfAborted();
  const { command, args } = withParentWatch(withinSystem(options));
  const child = new Deno.Command(command, {
    args: [...args],
    cwd: options.cwd,
    clearEnv: true,
    env: { ...options.env },
    stdin: options.stdin,
    stdout: "piped",
    stderr: "piped",
    detached: true,
  }).spawn();
  if (HAS_GROUPS) reaper.add(child.pid);
  let why: ChildEnd | undefined;
  const killFor = (end: ChildEnd) => {
    why ??= end;
    group.kill();
  };
  const timer = limits?.seconds ? setTimeout(() => killFor({ how: "time" }), limits.seconds * 1000) : undefined;
  const look = limits?.memoryMb && CAN_WATCH_MEMORY
    ? setInterval(() => {
      if (residentBytes(child.pid) > limits.memoryMb! * 1024 * 1024) killFor({ how: "memory" });
    }, LOOK_EVERY_MS)
    : undefined;
  const onAbort = () => group.kill();
  signal?.addEventListener("abort", onAbort, { once: true });
  const group: Group = {
    child,
    kill: () => killGroup(child),
    ended: child.status.then((status) => {
      clearTimeout(timer);
      clearInterval(look);
      signal?.removeEventListener("abort", onAbort);
      // What it left behind in its group goes with it.
      killGroup(child);
      if (HAS_GROUPS) reaper.remove(child.pid);
      running.delete(group);
      return why ?? (status.signal ? { how: "signal", signal: status.signal } : { how: "exit", code: status.code });
    }),
  };
  running.add(group);
  return group;
}

function killGroup(child: Deno.ChildProcess): void {
  try {
    if (HAS_GROUPS) Deno.kill(-child.pid, "SIGKILL");
    else child.kill("SIGKILL");
  } catch {
    // It is gone already.
  }
}

/** Bytes of memory a process holds, 0 when it is gone. Swap counts: what was pushed out is still used. */
function residentBytes(pid: number): number {
  try {
    const status = Deno.readTextFileSync(`/proc/${pid}/status`);
    const kilobytes = (name: string) => Number(status.match(new RegExp(`^${name}:\\s+(\\d+)`, "m"))?.[1] ?? 0);
    return (kilobytes("VmRSS") + kilobytes("VmSwap")) * 1024;
  } catch {
    return 0;
  }
}

function withinSystem({ command, args, eachMb }: GroupOptions): Started {
  if (!eachMb || !HAS_GROUPS) return { command, args };
  return { command: "/bin/sh", args: ["-c", LIMITED, `${eachMb * 1024}`, command, ...args] };
}

/** On Linux a child asks to be killed when we are, so that `kill -9` leaves none behind. */
function withParentWatch({ command, args }: Started): Started {
  const setpriv = setprivPath();
  if (setpriv === null) return { command, args };
  return { command: setpriv, args: ["--pdeathsig", "KILL", "--", command, ...args] };
}

let found: string | null | undefined;

function setprivPath(): string | null {
  if (found !== undefined) return found;
  found = null;
  if (Deno.build.os !== "linux") return found;
  for (const path of ["/usr/bin/setpriv", "/bin/setpriv"]) {
    try {
      Deno.statSync(path);
      found = path;
      break;
    } catch {
      // Not here.
    }
  }
  return found;
}
