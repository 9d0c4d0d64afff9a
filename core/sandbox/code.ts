/**
 * Model-written TypeScript, run in a process of its own that may do nothing unless it was granted (issue of least privilege,
 * ARCHITECTURE section 7; FACTS A3d).
 *
 * Invariants (tests/core/sandbox/code_test.ts, attacks in code_attacks_test.ts)
 * 1. Without permissions it can compute and print, and nothing else: no file, no network, no variable, no program.
 * 2. Two runs share nothing.
 * 3. It ends at its limits, and the result says which it was.
 *
 * @module
 */
import { type Permissions, startDeno } from "./deno_child.ts";
import { type AppliedLimits, CAN_WATCH_MEMORY, type ChildEnd, type Limits } from "./limits.ts";
import { collect, type Printed } from "./output.ts";

/** Limits of code that says nothing else. */
export const CODE_LIMITS: Limits = { seconds: 30, memoryMb: 512, outputBytes: 20_000 };

/** A piece of code. */
export interface CodeRequest {
  readonly code: string;
  readonly permissions?: Permissions;
  readonly limits?: Partial<Limits>;
  readonly signal: AbortSignal;
}

/** What became of a child. */
export interface ChildResult extends Printed {
  readonly end: ChildEnd;
  readonly limits: AppliedLimits;
  readonly ms: number;
}

/** Where code is run from. */
export interface CodeHome {
  /** A folder of our own: compiled runners are kept there. */
  readonly folder: string;
  readonly env: (name: string) => string | undefined;
}

/** Runs code to its end. Throws `TooManyFiles`, and the signal's reason when that aborts. */
export async function runTypeScript(home: CodeHome, request: CodeRequest): Promise<ChildResult> {
  const limits = { ...CODE_LIMITS, ...request.limits };
  const began = performance.now();
  const group = await startDeno({
    entry: new URL("./runner/code_runner.ts", import.meta.url),
    args: [],
    permissions: request.permissions ?? {},
    memoryMb: limits.memoryMb,
    seconds: limits.seconds,
    origin: `code-${crypto.randomUUID()}`,
    cache: home.folder,
    env: home.env,
  }, request.signal);
  const printed = collect(group, limits.outputBytes);
  await feed(group.child.stdin, request.code);
  const [end, output] = await Promise.all([group.ended, printed]);
  request.signal.throwIfAborted();
  return {
    ...output,
    end: outOfMemory(end, output) ? { how: "memory" } : end,
    limits: { ...limits, memoryHeld: CAN_WATCH_MEMORY },
    ms: performance.now() - began,
  };
}

/** Gives a child its whole input. One that died already takes none. */
async function feed(stdin: WritableStream<Uint8Array>, text: string): Promise<void> {
  const writer = stdin.getWriter();
  try {
    await writer.write(new TextEncoder().encode(text));
    await writer.close();
  } catch {
    // It ended before it read: its end says why.
  }
}

/** V8 ends the process itself when the heap is full. What code only prints is not taken for it. */
function outOfMemory(end: ChildEnd, { stderr }: Printed): boolean {
  const crashed = end.how === "signal" || end.how === "exit" && end.code > 128;
  return crashed && /out of memory/i.test(stderr.text);
}
