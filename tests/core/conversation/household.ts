/**
 * A book, blobs and housekeeping over a real store, in a process that can end at any access to the database.
 *
 * @module
 */
import assert from "node:assert/strict";
import { ConversationBook, ConversationNotFound, Housekeeping } from "../../../core/conversation/mod.ts";
import { Feed, Log } from "../../../core/log/mod.ts";
import { BlobFiles } from "../../../core/storage/blobs.ts";
import type { Database } from "../../../core/storage/mod.ts";
import { blobNames, insertConversation } from "../storage/sample_store.ts";

export class Killed extends Error {
  override readonly name = "Killed";
}

/** One thing that happens. `room` stands for one of a few conversations, `content` for one of a few files. */
export type HouseholdStep =
  | { readonly op: "say"; readonly room: number; readonly content: number }
  | { readonly op: "delete" | "restore"; readonly room: number }
  | { readonly op: "wait"; readonly minutes: number }
  | { readonly op: "keep house" }
  /** The process ends at its database access number `after` from now; `reaches` says whether that one is still done. */
  | { readonly op: "kill"; readonly after: number; readonly reaches: boolean };

export class Household {
  readonly #real: Database;
  readonly #folder: string;
  #now = Date.parse("2026-03-01T12:00:00Z");
  #left = Infinity;
  #reaches = false;
  #seq = 0;
  #parts: ReturnType<Household["start"]>;

  constructor(database: Database, folder: string) {
    this.#real = database;
    this.#folder = folder;
    this.#parts = this.start();
  }

  /** The next process: its memory is new. */
  restart(): void {
    this.#left = Infinity;
    this.#parts = this.start();
  }

  /** Does one thing. Throws `Killed` when the process ends meanwhile. */
  async take(step: HouseholdStep): Promise<void> {
    switch (step.op) {
      case "say":
        return await this.#say(`room ${step.room}`, step.content);
      case "delete":
        return await ifThere(this.#parts.book.delete(`room ${step.room}`));
      case "restore":
        return await ifThere(this.#parts.book.restore(`room ${step.room}`));
      case "wait":
        this.#now += step.minutes * 60_000;
        return;
      case "keep house":
        await this.#parts.housekeeping.run();
        if (this.#left < 0) throw new Killed();
        return;
      case "kill":
        this.#left = step.after;
        this.#reaches = step.reaches;
        return;
      default:
        return step satisfies never;
    }
  }

  /** Every file that an entry names is there, and every file that is there has a row that a sweep would find. */
  async check(): Promise<void> {
    const files = await blobNames(this.#folder);
    const named = await this.#real.read("select distinct substr(data ->> 'request_ref', -64) as hash from entries");
    for (const { hash } of named) assert.ok(files.includes(String(hash)), "a file that is referred to is gone");
    const known = (await this.#real.read("select hash from blobs")).map(({ hash }) => String(hash));
    for (const file of files) assert.ok(known.includes(file), "a file is there that no sweep would find");
  }

  private start() {
    const database = this.#mortal();
    const now = () => new Date(this.#now);
    const feed = new Feed();
    const book = new ConversationBook({
      database,
      feed,
      log: new Log(database, feed, now),
      now,
      newId: () => "unused",
      entryAgent: "assistant",
      isAgent: () => true,
      modelProblem: () => null,
      isRunning: () => false,
      stopTurn: () => Promise.resolve(),
    });
    const blobs = new BlobFiles({ folder: this.#folder, database, now, report: assert.fail });
    const storage = { blobs, health: { state: "healthy", repaired: [] } } as const;
    const housekeeping = new Housekeeping({ book, storage, every: () => () => {}, report: () => {} });
    return { database, book, blobs, housekeeping };
  }

  /** Puts the content, then writes the entry that names it, as a round of a turn does. */
  async #say(conversation: string, content: number): Promise<void> {
    const { database, blobs } = this.#parts;
    const rows = await database.read("select deleted_at from conversations where id = ?", [conversation]);
    if (rows.length > 0 && rows[0]?.deleted_at !== null) return;
    if (rows.length === 0) await database.write([insertConversation(conversation)]);
    const hash = await blobs.put(new TextEncoder().encode(`content ${content}`), "application/json", conversation);
    await database.write([{
      sql: `insert into entries (conversation, seq, kind, state, at, touched, data)
            values (?, ?, 'round', 'done', 'now', 0, ?)`,
      args: [conversation, ++this.#seq, JSON.stringify({ request_ref: `/payloads/${hash}` })],
    }]);
  }

  #mortal(): Database {
    return {
      read: (sql, args) => this.#live(() => this.#real.read(sql, args)),
      write: (statements) => this.#live(() => this.#real.write(statements)),
    };
  }

  async #live<T>(access: () => Promise<T>): Promise<T> {
    if (this.#left-- > 0) return await access();
    if (this.#left === -1 && this.#reaches) await access();
    throw new Killed();
  }
}

async function ifThere(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof ConversationNotFound)) throw error;
  }
}
