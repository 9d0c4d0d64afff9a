/**
 * Commands: an argument vector, run in a chosen folder, in a process group of its own (K-330, K-318).
 *
 * Invariants (tests/core/sandbox/command_test.ts)
 * 1. No shell reads the command: an argument is an argument, whatever is in it.
 * 2. A command sees the variables of `COMMAND_ENVIRONMENT` and those the person named, and no key of a provider.
 * 3. When it is over, by itself or not, nothing it started in its group runs any more; when Malama is killed, neither.
 *
 * @module
 */
import { resolve } from "node:path";
import type { ChildResult } from "./code.ts";
import { CAN_WATCH_MEMORY, type Limits } from "./limits.ts";
import { collect } from "./output.ts";
import { startGroup } from "./process_group.ts";

/** What a command may see of the environment (K-318). */
export const COMMAND_ENVIRONMENT: readonly string[] = [
  "PATH",
  "HOME",
  "LANG",
  "LC_ALL",
  "LC_CTYPE",
  "TMPDIR",
  "SHELL",
  "TERM",
  "TZ",
  "USER",
  "LOGNAME",
];

/** Limits of a command that says nothing else. */
export const COMMAND_LIMITS: Limits = { seconds: 30, memoryMb: 2048, outputBytes: 20_000 };

/** The longest a command may run, in seconds. */
export const LONGEST_COMMAND_SECONDS = 600;

/** A command. */
export interface CommandRequest {
  /** The program and its arguments; at least the program. */
  readonly command: readonly string[];
  readonly cwd?: string;
  /** Further variables the person allows it to see. */
  readonly passThrough?: readonly string[];
  readonly limits?: Partial<Limits>;
  readonly signal: AbortSignal;
}

/** A command that could not be started; `message` says why. */
export class NotStarted extends Error {
  override readonly name = "NotStarted";
}

/** Runs a command to its end. Throws `NotStarted`, and the signal's reason when that aborts. */
export async function runCommand(
  env: (name: string) => string | undefined,
  request: CommandRequest,
): Promise<ChildResult> {
  const [program, ...rest] = request.command;
  if (program === undefined || program.trim() === "") throw new NotStarted("The command is empty: name a program");
  const wanted = { ...COMMAND_LIMITS, ...request.limits };
  const limits = { ...wanted, seconds: Math.min(wanted.seconds, LONGEST_COMMAND_SECONDS) };
  const names = [...COMMAND_ENVIRONMENT, ...request.passThrough ?? []];
  const seen = names.flatMap((name) => {
    const value = env(name);
    return value === undefined ? [] : [[name, value] as const];
  });
  await checkFolder(request.cwd);
  await checkProgram(program, request.cwd, env("PATH") ?? "");
  const began = performance.now();
  const group = startGroup(
    {
      command: program,
      args: rest,
      ...request.cwd === undefined ? {} : { cwd: request.cwd },
      env: Object.fromEntries(seen),
      stdin: "null",
      eachMb: limits.memoryMb,
    },
    { seconds: limits.seconds },
    request.signal,
  );
  const [end, printed] = await Promise.all([group.ended, collect(group, limits.outputBytes)]);
  request.signal.throwIfAborted();
  return { ...printed, end, limits: { ...limits, memoryHeld: CAN_WATCH_MEMORY }, ms: performance.now() - began };
}

/** Says which program is missing, before a shell says it in its own words. */
async function checkProgram(program: string, cwd: string | undefined, path: string): Promise<void> {
  const folders = program.includes("/") ? [cwd ?? Deno.cwd()] : path.split(":");
  for (const folder of folders) {
    try {
      if ((await Deno.stat(resolve(folder, program))).isFile) return;
    } catch {
      // Not in this folder.
    }
  }
  const where = program.includes("/") ? "" : " in PATH";
  throw new NotStarted(`There is no program "${program}"${where}: name one that is installed, without its arguments`);
}

async function checkFolder(cwd: string | undefined): Promise<void> {
  if (cwd === undefined) return;
  try {
    if ((await Deno.stat(cwd)).isDirectory) return;
  } catch {
    // Said below, the same way.
  }
  throw new NotStarted(`${cwd} is no folder that can be opened: name one that exists`);
}
