/**
 * The book of conversations: list, create, rename, pin, delete and bring back, and what is done to the tree of turns.
 *
 * Invariants
 * 1. Listing reads no entries (K-049; tests/core/conversation/book_test.ts, "list() reads no entries").
 * 2. Deleting waits for no other conversation's turn (K-053; "delete() does not wait for another conversation").
 * 3. A deleted conversation answers as if it were not there, and can be brought back for ten minutes; `Housekeeping` then
 *    removes it for good.
 * 4. Whoever reads a conversation to write to it waits while turns are removed from it (`stored`), so that nothing begins
 *    under a turn that is going away (tests/core/conversation/tree_test.ts, "truncating while a turn waits").
 *
 * @module
 */
import type { Database, Row, Statement } from "../storage/mod.ts";
import type { Conversation, Feed, Log } from "../log/mod.ts";
import type { Book, ConversationChange, ConversationDetail } from "./contract.ts";
import {
  COLUMNS,
  conversationOfRow,
  shown,
  STORED_COLUMNS,
  type StoredConversation,
  storedOfRow,
} from "./conversation_row.ts";
import { copyBranch, copyWhole } from "./copy.ts";
import { BadRequest, ConversationNotFound, TitleMoved } from "./errors.ts";
import { clampTitle, UNTITLED } from "./title.ts";
import { moveHead, removeTurn } from "./tree_change.ts";
import { pathTo } from "./turn_tree.ts";

export type { StoredConversation } from "./conversation_row.ts";

/** How long a deleted conversation can be brought back, in milliseconds. */
export const RESTORABLE_MS = 10 * 60 * 1000;

/** What the book needs of those above and beside it. */
export interface BookServices {
  readonly database: Database;
  readonly feed: Feed;
  readonly log: Log;
  readonly now: () => Date;
  readonly newId: () => string;
  /** The entry agent's name, and whether a table declares an agent. */
  readonly entryAgent: string;
  readonly isAgent: (name: string) => boolean;
  /** What is wrong with a model string, or `null`. */
  readonly modelProblem: (model: string) => string | null;
  /** Whether a turn runs there now. */
  readonly isRunning: (conversation: string) => boolean;
  /** Stops the conversation's own turn and drops what waits behind it. */
  readonly stopTurn: (conversation: string) => Promise<void>;
}

export class ConversationBook implements Book {
  readonly #services: BookServices;
  /** Removals of turns that are under way, by conversation. */
  readonly #removing = new Map<string, Promise<unknown>>();

  constructor(services: BookServices) {
    this.#services = services;
  }

  /** @inheritdoc */
  async list(options: { limit?: number; before?: string; task?: string } = {}): ReturnType<Book["list"]> {
    const limit = Math.max(1, Math.min(500, Math.trunc(options.limit ?? 50)));
    const conditions = ["deleted_at is null"];
    const args: string[] = [];
    if (options.before !== undefined) conditions.push("updated_at < ?"), args.push(options.before);
    if (options.task !== undefined) conditions.push("task = ?"), args.push(options.task);
    const where = conditions.join(" and ");
    const rows = await this.#services.database.read(
      `select ${COLUMNS} from conversations where ${where} order by updated_at desc, id desc limit ?`,
      [...args, limit + 1],
    );
    const items = rows.slice(0, limit).map((row) => this.#conversation(row));
    const last = items.at(-1);
    if (rows.length <= limit || !last) return { items, next: null };
    // The cursor is a time: all that share the last one belong on this page, or the next would skip them.
    const ties = await this.#services.database.read(
      `select ${COLUMNS} from conversations where ${where} and updated_at = ? and id < ? order by id desc`,
      [...args, last.updated_at, last.id],
    );
    return { items: [...items, ...ties.map((row) => this.#conversation(row))], next: last.updated_at };
  }

  /** @inheritdoc */
  async get(id: string): Promise<ConversationDetail> {
    const conversation = shown(await this.stored(id));
    return { ...conversation, path: pathTo(await this.#services.log.turns(id), conversation.head) };
  }

  /** Whether turns are being removed there: what was read of it before may not hold any more. */
  isRemoving(id: string): boolean {
    return this.#removing.has(id);
  }

  /** The conversation with its inner facts. Throws `ConversationNotFound`. */
  async stored(id: string): Promise<StoredConversation> {
    await this.#removing.get(id);
    const [row] = await this.#services.database.read(
      `select ${STORED_COLUMNS} from conversations where id = ? and deleted_at is null`,
      [id],
    );
    if (!row) throw new ConversationNotFound(id);
    return storedOfRow(row, this.#services.isRunning(id));
  }

  /** @inheritdoc */
  async create(options: { agent?: string; title?: string; model?: string } = {}): Promise<Conversation> {
    const { newId, now, entryAgent, isAgent } = this.#services;
    const agent = options.agent ?? entryAgent;
    if (!isAgent(agent)) throw new BadRequest("agent", `No agent "${agent}": see GET /api/agents`);
    this.#checkModel(options.model);
    const given = clampTitle(options.title ?? "");
    const id = newId();
    const at = now().toISOString();
    await this.#write({
      sql: `insert into conversations (id, title, title_kind, agent, model, created_at, updated_at)
            values (?, ?, ?, ?, ?, ?, ?)`,
      args: [id, given || UNTITLED, given ? "given" : "placeholder", agent, options.model ?? null, at, at],
    });
    return await this.announce(id);
  }

  /** @inheritdoc */
  async update(id: string, change: ConversationChange): Promise<Conversation> {
    const { title, expected_title, pinned, model } = change;
    await this.stored(id);
    if (title !== undefined) await this.#rename(id, title, expected_title);
    const sets: Statement[] = [];
    if (pinned !== undefined) {
      sets.push({ sql: "update conversations set pinned = ? where id = ?", args: [pinned ? 1 : 0, id] });
    }
    if (model !== undefined) {
      this.#checkModel(model);
      sets.push({ sql: "update conversations set model = ? where id = ?", args: [model, id] });
    }
    if (sets.length > 0) await this.#write(...sets);
    return await this.announce(id);
  }

  /** @inheritdoc */
  async delete(id: string): Promise<void> {
    const { now, stopTurn, feed } = this.#services;
    await this.stored(id);
    await stopTurn(id);
    await this.#write({ sql: "update conversations set deleted_at = ? where id = ?", args: [now().toISOString(), id] });
    feed.announce({ op: "conversation_removed", conversation: id });
  }

  /** @inheritdoc */
  async restore(id: string): Promise<Conversation> {
    await this.#write({ sql: "update conversations set deleted_at = null where id = ?", args: [id] });
    return await this.announce(id);
  }

  /** @inheritdoc */
  async setHead(id: string, turn: string): Promise<ConversationDetail> {
    await this.stored(id);
    await moveHead(this.#services.database, id, turn);
    return await this.#changedTree(id);
  }

  /** @inheritdoc */
  async truncate(id: string, turn: string): Promise<ConversationDetail> {
    await this.stored(id);
    const { database, isRunning } = this.#services;
    const removal = removeTurn(database, id, turn, () => isRunning(id));
    const over = removal.then(() => {}, () => {});
    this.#removing.set(id, over);
    over.then(() => this.#removing.get(id) === over && this.#removing.delete(id));
    await removal;
    return await this.#changedTree(id);
  }

  /** @inheritdoc */
  async branch(id: string, turn: string): Promise<Conversation> {
    await this.stored(id);
    return await this.announce(await copyBranch(this.#services, id, turn));
  }

  /** @inheritdoc */
  async duplicate(id: string): Promise<Conversation> {
    await this.stored(id);
    return await this.announce(await copyWhole(this.#services, id));
  }

  /** @inheritdoc */
  async markRead(id: string): Promise<void> {
    const [rows] = await this.#write({
      sql: "update conversations set read_seq = last_seq where id = ? and read_seq < last_seq returning id",
      args: [id],
    });
    if (rows && rows.length > 0) await this.announce(id);
  }

  /** @inheritdoc */
  async resolve(text: string): Promise<string | null> {
    const id = text.trim().replace(/^["'`]+|["'`]+$/g, "").toUpperCase();
    if (!/^[0-9A-Z]{6,26}$/.test(id)) return null;
    const rows = await this.#services.database.read(
      "select id from conversations where deleted_at is null and id >= ? and id < ? limit 2",
      [id, `${id}\u007f`],
    );
    return rows.length === 1 ? String(rows[0]?.id) : null;
  }

  /**
   * Deletes for good what was deleted longer ago than it can be brought back. Files that it alone held are removed by the
   * next `Blobs.sweep`; `Housekeeping` does both.
   */
  async purge(): Promise<void> {
    const limit = new Date(this.#services.now().getTime() - RESTORABLE_MS).toISOString();
    await this.#write({ sql: "delete from conversations where deleted_at < ?", args: [limit] });
  }

  /**
   * Gives a title that was made for it, unless it has another one than it had then, or is deleted (K-067). It keeps its
   * place in the list. Whether it was written; announcing is the caller's.
   */
  async retitle(
    { id, title, title_kind }: Pick<StoredConversation, "id" | "title" | "title_kind">,
    made: string,
  ): Promise<boolean> {
    const [rows] = await this.#write({
      sql: `update conversations set title = ?, title_kind = 'generated'
            where id = ? and title = ? and title_kind = ? and deleted_at is null returning id`,
      args: [clampTitle(made), id, title, title_kind],
    });
    return rows !== undefined && rows.length > 0;
  }

  /** Reads the conversation anew and tells everyone who shows a list. A deleted one is not announced. */
  async announce(id: string): Promise<Conversation> {
    const conversation = shown(await this.stored(id));
    this.#services.feed.announce({ op: "conversation", conversation });
    return conversation;
  }

  /** Tells everyone that the path may have changed, also where the head stayed the same. */
  async #changedTree(id: string): Promise<ConversationDetail> {
    const detail = await this.get(id);
    this.#services.feed.announce({ op: "head", conversation: id, head: detail.head });
    await this.announce(id);
    return detail;
  }

  async #rename(id: string, title: string, expected: string | undefined): Promise<void> {
    const given = clampTitle(title);
    if (!given) throw new BadRequest("title", "A title cannot be empty: write at least one character");
    const condition = expected === undefined ? "" : " and title = ?";
    const [rows] = await this.#write({
      sql: `update conversations set title = ?, title_kind = 'given' where id = ?${condition} returning id`,
      args: expected === undefined ? [given, id] : [given, id, expected],
    });
    if (rows?.length === 0) throw new TitleMoved((await this.stored(id)).title);
  }

  #checkModel(model: string | null | undefined): void {
    const problem = model ? this.#services.modelProblem(model) : null;
    if (problem) throw new BadRequest("model", problem);
  }

  #write(...statements: Statement[]): Promise<readonly (readonly Row[])[]> {
    return this.#services.database.write(statements);
  }

  #conversation(row: Row): Conversation {
    return conversationOfRow(row, this.#services.isRunning(String(row.id)));
  }
}
