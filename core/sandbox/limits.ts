/**
 * What bounds a child process, and how a result says so.
 *
 * @module
 */

/** The bounds of one child. */
export interface Limits {
  /** After this many seconds its whole process group is killed. */
  readonly seconds: number;
  /** Megabytes of memory, held by the heap limit of V8 where it is ours to set and by watching the process; 0 is no limit. */
  readonly memoryMb: number;
  /** Bytes kept of standard output and standard error together. */
  readonly outputBytes: number;
}

/** The limits that really held on this platform, for the first line of a result. */
export interface AppliedLimits extends Limits {
  /** Whether the memory of the process was watched: needs Linux. */
  readonly memoryHeld: boolean;
}

/** Whether a process's memory can be read here. */
export const CAN_WATCH_MEMORY: boolean = Deno.build.os === "linux";

/** How a child ended. */
export type ChildEnd =
  | { readonly how: "exit"; readonly code: number }
  | { readonly how: "signal"; readonly signal: string }
  | { readonly how: "time" }
  | { readonly how: "memory" };
