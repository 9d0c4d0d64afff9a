/**
 * The memories in the database.
 *
 * Invariants (tests/core/memory/memories_test.ts)
 * 1. A text is remembered once, however many say it at the same time.
 * 2. What is removed is not found from that moment on, can be brought back for ten minutes, and is gone after that.
 * 3. A search answers while vectors are missing, being made, or of another model.
 *
 * @module
 */
import type { Database, Row, SqlValue } from "../storage/mod.ts";
import { Embeddings } from "./embeddings.ts";
import type { Embedder } from "./embedding/embedder.ts";
import {
  type FoundMemory,
  type Memory,
  MemoryExists,
  MemoryNotFound,
  type MemoryPage,
  type MemorySearchOptions,
  type MemoryStore,
  memoryText,
} from "./memory.ts";
import { rank } from "./ranking.ts";
import { anyOf, readWords, type Words } from "./words.ts";

export interface MemoriesServices {
  readonly database: Database;
  readonly embedder: Embedder;
  readonly now: () => Date;
  readonly newId: () => string;
  readonly report: (message: string) => void;
}

/** How long a removed memory can be brought back, in milliseconds. */
const UNDO_MS = 10 * 60 * 1000;
/** How many memories are looked at by each way of searching. */
const REACH = 200;

const COLUMNS = "n, id, text, origin_conversation, created_at, updated_at";

export class Memories implements MemoryStore {
  readonly #services: MemoriesServices;
  readonly #embeddings: Embeddings;

  /** Opens nothing (K-164). */
  constructor(services: MemoriesServices) {
    this.#services = services;
    this.#embeddings = new Embeddings(services);
  }

  async add(
    text: string,
    { origin = null }: { readonly origin?: string | null } = {},
  ): Promise<{ readonly memory: Memory; readonly isNew: boolean }> {
    const clean = memoryText(text);
    const at = this.#services.now().toISOString();
    const [made, found] = await this.#services.database.write([
      {
        sql: `insert into memories (id, text, origin_conversation, created_at, updated_at) values (?, ?, ?, ?, ?)
          on conflict do nothing returning ${COLUMNS}`,
        args: [this.#services.newId(), clean, origin, at, at],
      },
      { sql: `select ${COLUMNS} from memories where text = ? and deleted_at is null`, args: [clean] },
    ]);
    this.#embeddings.wake();
    return { memory: toMemory(one(made ?? []) ?? one(found ?? []), clean), isNew: made?.length === 1 };
  }

  async search(query: string, { limit = 10, signal }: MemorySearchOptions = {}): Promise<readonly FoundMemory[]> {
    const text = query.toWellFormed().normalize("NFC").trim();
    if (text === "") return [];
    const words = await this.#matches(readWords(text));
    const meaning = await this.#embeddings.nearest(text, {
      limit: Math.max(limit, REACH),
      besides: [...words.keys()],
      ...signal && { signal },
    });
    const ranked = rank(words, meaning, this.#embeddings.weightOf(text)).slice(0, limit * 2);
    const rows = await this.#rows(
      "n in (select value from json_each(?)) and deleted_at is null",
      [JSON.stringify(ranked.map(({ n }) => n))],
    );
    const byRow = new Map(rows.map((row) => [Number(row.n), row]));
    return ranked.flatMap(({ n, score }) => {
      const row = byRow.get(n);
      return row ? [{ ...toMemory(row, n), score: Math.round(score * 1000) / 1000 }] : [];
    }).slice(0, limit);
  }

  async list({ limit = 50, before }: { readonly limit?: number; readonly before?: string } = {}): Promise<MemoryPage> {
    const older = before === undefined ? "" : "and id < ?";
    const rows = await this.#rows(
      `deleted_at is null ${older} order by id desc limit ?`,
      [...before === undefined ? [] : [before], limit + 1],
    );
    const items = rows.slice(0, limit).map((row) => toMemory(row, row.id));
    return { items, next: rows.length > limit ? items.at(-1)?.id ?? null : null };
  }

  async count(): Promise<number> {
    const [row] = await this.#services.database.read("select count(*) as count from memories where deleted_at is null");
    return Number(row?.count ?? 0);
  }

  async edit(id: string, text: string): Promise<Memory> {
    const clean = memoryText(text);
    const [changed, same] = await this.#services.database.write([
      {
        sql: `update or ignore memories set text = ?, updated_at = ?, embedding = null, embedding_model = null
          where id = ? and deleted_at is null and text <> ? returning ${COLUMNS}`,
        args: [clean, this.#services.now().toISOString(), id, clean],
      },
      { sql: `select ${COLUMNS} from memories where text = ? and deleted_at is null`, args: [clean] },
    ]);
    const row = one(changed ?? []) ?? (same ?? []).find((each) => each.id === id);
    if (row === undefined) {
      const [other] = await this.#rows("id = ? and deleted_at is null", [id]);
      if (other === undefined) throw new MemoryNotFound(id);
      throw new MemoryExists(String(one(same ?? [])?.id));
    }
    if (changed?.length) {
      this.#embeddings.forget(Number(row.n));
      this.#embeddings.wake();
    }
    return toMemory(row, id);
  }

  async remove(id: string): Promise<boolean> {
    return await this.#remove("id = ?", id) !== null;
  }

  removeText(text: string): Promise<Memory | null> {
    return this.#remove("text = ?", memoryText(text));
  }

  async restore(id: string): Promise<Memory> {
    const since = this.#since();
    const [back] = await this.#services.database.write([{
      sql: `update or ignore memories set deleted_at = null where id = ? and deleted_at > ? returning ${COLUMNS}`,
      args: [id, since],
    }]);
    // Said again meanwhile: then that one stands. Or it never was removed.
    const row = one(back ?? []) ?? one(
      await this.#rows(
        `deleted_at is null and (id = ?1 or text = (select text from memories where id = ?1 and deleted_at > ?2))`,
        [id, since],
      ),
    );
    if (row === undefined) throw new MemoryNotFound(id);
    this.#embeddings.wake();
    return toMemory(row, id);
  }

  /** Removes for good what was removed ten minutes ago, and tries vectors again that could not be made. */
  async tidy(): Promise<void> {
    this.#embeddings.retry();
    await this.#services.database.write([{
      sql: "delete from memories where deleted_at <= ?",
      args: [this.#since()],
    }]);
  }

  /** Resolves when every memory has its vector, or none is being made. */
  settled(): Promise<void> {
    return this.#embeddings.settled();
  }

  close(): Promise<void> {
    return this.#embeddings.close();
  }

  /** How well memories match by their words, from 0 to 1, the best being 1; those that do not match are left out. */
  async #matches({ spaced, unspaced }: Words): Promise<ReadonlyMap<number, number>> {
    const { database } = this.#services;
    const found = new Map<number, number>();
    const take = (n: unknown, score: number) => found.set(Number(n), Math.max(found.get(Number(n)) ?? 0, score));
    if (spaced.length > 0) {
      const rows = await database.read(
        "select rowid as n, rank from memory_search where memory_search match ? order by rank limit ?",
        [anyOf(spaced), REACH],
      );
      // bm25 is below zero, the best the furthest.
      const best = Number(rows[0]?.rank ?? -1);
      for (const { n, rank } of rows) take(n, best < 0 ? Number(rank) / best : 1);
    }
    if (unspaced.length > 0) {
      const share = unspaced.map(() => "(instr(text, ?) > 0)").join(" + ");
      const rows = await database.read(
        `select rowid as n, ${share} as hits from memory_text where hits > 0 order by hits desc, n desc limit ?`,
        [...unspaced, REACH],
      );
      for (const { n, hits } of rows) take(n, Number(hits) / unspaced.length);
    }
    return found;
  }

  /** A removed memory keeps no vector: brought back, it gets a new one. */
  async #remove(which: string, value: string): Promise<Memory | null> {
    const [removed] = await this.#services.database.write([{
      sql: `update memories set deleted_at = ?, embedding = null, embedding_model = null
        where ${which} and deleted_at is null returning ${COLUMNS}`,
      args: [this.#services.now().toISOString(), value],
    }]);
    const row = one(removed ?? []);
    if (row === undefined) return null;
    this.#embeddings.forget(Number(row.n));
    return toMemory(row, value);
  }

  #rows(where: string, args: readonly SqlValue[]): Promise<readonly Row[]> {
    return this.#services.database.read(`select ${COLUMNS} from memories where ${where}`, args);
  }

  /** What was removed before this moment is gone. */
  #since(): string {
    return new Date(this.#services.now().getTime() - UNDO_MS).toISOString();
  }
}

function one(rows: readonly Row[]): Row | undefined {
  return rows[0];
}

/** Throws `MemoryNotFound` when it was removed between two steps. */
function toMemory(row: Row | undefined, which: unknown): Memory {
  if (row === undefined) throw new MemoryNotFound(String(which));
  return {
    id: String(row.id),
    text: String(row.text),
    origin: row.origin_conversation === null ? null : String(row.origin_conversation),
    created_at: String(row.created_at),
    updated_at: String(row.updated_at),
  };
}
