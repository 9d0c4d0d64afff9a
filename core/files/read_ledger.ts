/**
 * What each agent has read in each conversation, so that none replaces a file it does not know (T-149).
 *
 * Invariants (tests/core/files/read_ledger_test.ts)
 * 1. A file that changed since it was read counts as unread.
 * 2. It remembers the last thousand readings; what it forgets has to be read again, never less.
 *
 * @module
 */

const MAX_READINGS = 1000;

/** Who reads. */
export interface Reader {
  readonly conversation: string;
  readonly agent: string;
}

/** The state of a file, by which a change is told. */
export interface FileState {
  readonly size: number;
  /** Milliseconds. */
  readonly modified: number;
  readonly changed: number;
  readonly inode: number;
}

interface Reading {
  readonly state: FileState;
  /** The first line that was not shown yet, all before it having been; `Infinity` when all were. */
  readonly next: number;
}

/** The state of what the system says of a file. */
export function stateOf(info: Deno.FileInfo): FileState {
  return {
    size: info.size,
    modified: info.mtime?.getTime() ?? 0,
    changed: info.ctime?.getTime() ?? 0,
    inode: info.ino ?? 0,
  };
}

/** Whether nothing happened to a file between two states of it. */
export function isSameState(one: FileState, other: FileState): boolean {
  return one.size === other.size && one.modified === other.modified && one.changed === other.changed &&
    one.inode === other.inode;
}

export class ReadLedger {
  readonly #readings = new Map<string, Reading>();

  /** Notes lines that were shown; `next` is the line after them, `Infinity` after the last one. */
  note(reader: Reader, path: string, state: FileState, shown: { readonly from: number; readonly next: number }): void {
    const key = keyOf(reader, path);
    const before = this.#readings.get(key);
    const known = before !== undefined && isSameState(before.state, state) ? before.next : 1;
    this.#set(key, { state, next: shown.from <= known ? Math.max(known, shown.next) : known });
  }

  /** Notes a file that the reader wrote itself. */
  noteWritten(reader: Reader, path: string, state: FileState): void {
    this.#set(keyOf(reader, path), { state, next: Infinity });
  }

  /** How much of a file the reader knows as it is now. */
  knowledge(reader: Reader, path: string, state: FileState): "none" | "stale" | "part" | "whole" {
    const reading = this.#readings.get(keyOf(reader, path));
    if (reading === undefined) return "none";
    if (!isSameState(reading.state, state)) return "stale";
    return reading.next === Infinity ? "whole" : "part";
  }

  #set(key: string, reading: Reading): void {
    this.#readings.delete(key);
    this.#readings.set(key, reading);
    for (const oldest of this.#readings.keys()) {
      if (this.#readings.size <= MAX_READINGS) break;
      this.#readings.delete(oldest);
    }
  }
}

function keyOf({ conversation, agent }: Reader, path: string): string {
  return [conversation, agent, path].join("\n");
}
