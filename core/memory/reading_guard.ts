/**
 * Which documents each conversation has read whole, so that none is replaced by what a conversation knows in part (K-333).
 *
 * Invariants (tests/core/memory/reading_guard_test.ts)
 * 1. A revision counts as read when its parts, in any order, leave no gap; a change by anyone else begins anew.
 * 2. It remembers the last thousand readings; what it forgets has to be read again, never less.
 *
 * @module
 */

const MAX_READINGS = 1000;

interface Reading {
  readonly revision: number;
  /** Parts that were seen, in order, with gaps between them. */
  readonly parts: readonly Part[];
}

interface Part {
  readonly from: number;
  readonly to: number;
}

/** What was seen: a part of a revision that has so many characters. */
export interface Seen extends Part {
  readonly revision: number;
  readonly characters: number;
}

export class ReadingGuard {
  readonly #readings = new Map<string, Reading>();

  /** Notes a part that was seen, and says whether all of that revision has been. */
  note(reader: string, path: string, seen: Seen): boolean {
    const key = keyOf(reader, path);
    const before = this.#readings.get(key);
    const parts = before?.revision === seen.revision ? before.parts : [];
    const reading = { revision: seen.revision, parts: joined([...parts, { from: seen.from, to: seen.to }]) };
    this.#readings.delete(key);
    this.#readings.set(key, reading);
    for (const oldest of this.#readings.keys()) {
      if (this.#readings.size <= MAX_READINGS) break;
      this.#readings.delete(oldest);
    }
    return isWhole(reading, seen.characters);
  }

  /** Nobody has read what stands at this path. */
  forget(path: string): void {
    for (const key of this.#readings.keys()) if (key.endsWith(`\n${path}`)) this.#readings.delete(key);
  }

  /** Whether all of this revision was seen. */
  hasRead(reader: string, path: string, { revision, characters }: Pick<Seen, "revision" | "characters">): boolean {
    const reading = this.#readings.get(keyOf(reader, path));
    return reading !== undefined && reading.revision === revision && isWhole(reading, characters);
  }
}

function keyOf(reader: string, path: string): string {
  return `${reader}\n${path}`;
}

function isWhole({ parts }: Reading, characters: number): boolean {
  const [first] = parts;
  return first !== undefined && first.from === 0 && first.to >= characters;
}

/** The parts in order, those that touch made one. */
function joined(parts: readonly Part[]): readonly Part[] {
  const result: Part[] = [];
  for (const part of parts.toSorted((a, b) => a.from - b.from)) {
    const last = result.at(-1);
    if (last === undefined || part.from > last.to) result.push(part);
    else result[result.length - 1] = { from: last.from, to: Math.max(last.to, part.to) };
  }
  return result;
}
