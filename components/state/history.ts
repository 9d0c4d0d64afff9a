/**
 * How much of the path is loaded, and loading more of it: upwards, downwards, and where the path forks to another version.
 *
 * Invariants (tests/components/state/history_test.ts pins each)
 * 1. What is shown is one stretch of the path without a hole: from `older` to `newer`, or to the end.
 * 2. A stretch begins with the message of a turn, and never ends inside the turn that runs.
 * 3. A branch comes into view together with its entries, never empty first.
 * 4. Loading that failed can be asked for again: the bounds stay.
 *
 * @module
 */
import { batch, type Signal, signal } from "@preact/signals";
import type { Entry, PathTurn } from "../../core/log/entry.ts";
import { foldPage, foldPath, type Transcript } from "../../core/log/folds/transcript.ts";
import type { Api } from "./api.ts";
import type { Boot } from "./boot.ts";

/** Entries on a page. */
export const PAGE = 200;

/** Which page of entries is asked for. */
type At = { readonly before?: number; readonly after?: number };

export class History {
  /** The `before` of the page of older entries; `null` when the first one is there. */
  readonly older: Signal<number | null>;
  /** The `after` of the page of newer entries; `null` when the last one is there. */
  readonly newer: Signal<number | null>;
  readonly #api: Api;
  readonly #transcript: Signal<Transcript>;
  #loading: Promise<void> | null = null;

  constructor(boot: Boot, api: Api, transcript: Signal<Transcript>) {
    this.#api = api;
    this.#transcript = transcript;
    this.older = signal(boot.older);
    this.newer = signal(boot.newer ?? null);
  }

  /** Another conversation is in view, of which nothing is loaded: all that comes is new. */
  clear(): void {
    this.older.value = null;
    this.newer.value = null;
  }

  /** Loads what stands before. Throws what the API throws. */
  async moreOlder(): Promise<void> {
    const before = this.older.value;
    if (before === null) return;
    this.older.value = null;
    try {
      const read = await this.#readUp(before);
      batch(() => {
        this.#take(read.items, before - 1);
        this.older.value = read.first;
      });
    } catch (error) {
      this.older.value = before;
      throw error;
    }
  }

  /** Loads what follows; while that is on its way, waits for it. Throws what the API throws. */
  moreNewer(): Promise<void> {
    this.#loading ??= this.#loadNewer().finally(() => this.#loading = null);
    return this.#loading;
  }

  /** Loads all that follows. Throws what the API throws. */
  async toEnd(): Promise<void> {
    while (this.newer.value !== null) await this.moreNewer();
  }

  /** Takes in the path, with the entries of a branch that was not in view before. Throws what the API throws. */
  async takePath(path: readonly PathTurn[], also: () => void): Promise<void> {
    const read = await this.#readBranch(path);
    batch(() => {
      this.#transcript.value = foldPath(this.#transcript.value, path);
      if (read) {
        this.#take(read.items, read.items.at(-1)?.seq ?? 0);
        if (read.first !== undefined) this.older.value = read.first;
        this.newer.value = read.last;
      }
      also();
    });
  }

  async #loadNewer(): Promise<void> {
    const after = this.newer.value;
    if (after === null) return;
    const read = await this.#readDown(after);
    batch(() => {
      this.#take(read.items, read.items.at(-1)?.seq ?? after);
      this.newer.value = read.last;
    });
  }

  async #readBranch(path: readonly PathTurn[]): Promise<Branch | null> {
    const held = this.#transcript.value;
    const fork = forkOf(held, path);
    const turns = path.slice(fork);
    if (turns.length === 0) return null;
    if (turns.every((turn) => isWhole(heldOf(held, turn.id)))) return { items: [], last: null };
    const before = path[fork - 1];
    if (!before) return { ...await this.#readDown(0, path), first: null };
    const end = heldOf(held, before.id).at(-1)?.seq;
    if (this.newer.value !== null && (end === undefined || end > this.newer.value)) return null;
    if (end !== undefined) return await this.#readDown(end, path);
    return await this.#readAround(held, before.id, path);
  }

  /** Where not even the turn before the fork is loaded: the page above what is in view has it. */
  async #readAround(held: Transcript, before: string, path: readonly PathTurn[]): Promise<Branch> {
    const shown = held.turns.find((view) => view.entries.length > 0)?.entries[0]?.seq;
    const up = await this.#readUp(shown ?? held.lastSeq + 1);
    const end = up.items.findLast((entry) => entry.turn === before)?.seq ?? 0;
    const down = await this.#readDown(end, path);
    return {
      items: [...up.items.filter((entry) => entry.seq <= end), ...down.items],
      first: up.first,
      last: down.last,
    };
  }

  /** Upwards until a turn's own message comes first. */
  async #readUp(before: number): Promise<{ items: readonly Entry[]; first: number | null }> {
    let items: readonly Entry[] = [];
    for (let from = before;;) {
      const read = await this.#page({ before: from });
      items = [...read, ...items];
      const first = read[0];
      if (!first || read.length < PAGE) return { items, first: null };
      if (first.kind === "user") return { items, first: first.seq };
      from = first.seq;
    }
  }

  /** Downwards, not ending inside the last turn of the path. */
  async #readDown(after: number, path?: readonly PathTurn[]): Promise<{ items: Entry[]; last: number | null }> {
    const items: Entry[] = [];
    for (let from = after;;) {
      const read = await this.#page({ after: from });
      items.push(...read);
      const last = read.at(-1);
      if (!last || read.length < PAGE) return { items, last: null };
      const head = path ? path.at(-1)?.id : this.#transcript.value.head;
      if (last.turn !== head) return { items, last: last.seq };
      from = last.seq;
    }
  }

  async #page(at: At): Promise<readonly Entry[]> {
    return (await this.#api.page(this.#transcript.value.conversation, { ...at, limit: PAGE })).items;
  }

  #take(items: readonly Entry[], last_seq: number): void {
    if (items.length === 0) return;
    this.#transcript.value = foldPage(this.#transcript.value, { items, last_seq });
  }
}

/** What was read of a branch, and where the stretch in view then begins and ends. */
interface Branch {
  readonly items: readonly Entry[];
  /** Absent: as before. */
  readonly first?: number | null;
  readonly last: number | null;
}

/** Index of the first turn of `path` after the last one that is in view now. */
function forkOf({ turns }: Transcript, path: readonly PathTurn[]): number {
  const shown = new Set(turns.map((view) => view.turn.id));
  return path.findLastIndex((turn) => shown.has(turn.id)) + 1;
}

function heldOf(transcript: Transcript, turn: string): readonly Entry[] {
  return transcript.turns.find((view) => view.turn.id === turn)?.entries ?? transcript.aside[turn] ?? [];
}

/** Whether a turn is held from its beginning: what follows then came with it, or comes live. */
export function isWhole(entries: readonly Entry[]): boolean {
  return entries[0]?.kind === "user";
}

/** The newest turn at or below one, where it and all between are known and held whole; else `null`. */
export function heldLeaf(transcript: Transcript, turn: string): string | null {
  for (let id = turn;;) {
    if (!transcript.known[id] || !isWhole(heldOf(transcript, id))) return null;
    const below = Object.values(transcript.known).filter((other) => other.parent === id).map((other) => other.id);
    if (below.length === 0) return id;
    id = below.reduce((newest, other) => other > newest ? other : newest);
  }
}
