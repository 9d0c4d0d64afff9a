/**
 * What the rest of the house asks of the conversation book.
 *
 * @module
 */
import type { Conversation, PathTurn } from "../log/mod.ts";

export interface ConversationDetail extends Conversation {
  /** The turns from the root to the head, in order. */
  readonly path: readonly PathTurn[];
}

export interface ConversationChange {
  /** Clamped to 40 characters; blank is refused. */
  readonly title?: string;
  /** The title the person was shown: the change is refused when it no longer holds. */
  readonly expected_title?: string;
  readonly pinned?: boolean;
  /** A model string, or `null` for the agent's own. */
  readonly model?: string | null;
}

export interface Book {
  /** Newest first by `updated_at`; reads no entries. `next` is the `before` of the following page, or `null`. */
  list(
    options?: { limit?: number; before?: string; task?: string },
  ): Promise<{ items: Conversation[]; next: string | null }>;
  /** Throws `ConversationNotFound`. */
  get(id: string): Promise<ConversationDetail>;
  /** Throws `BadRequest` on an agent no table declares or a model string that does not parse. */
  create(options?: { agent?: string; title?: string; model?: string }): Promise<Conversation>;
  /** Throws `ConversationNotFound`, `TitleMoved`, `BadRequest`. */
  update(id: string, change: ConversationChange): Promise<Conversation>;
  /**
   * Stops its own turn and hides it. It can be restored for ten minutes; within ten more it is gone, with the captured
   * requests, pictures and results that it alone held. Throws `ConversationNotFound`.
   */
  delete(id: string): Promise<void>;
  /** Brings a deleted one back. Throws `ConversationNotFound` when it was never there or is gone for good. */
  restore(id: string): Promise<Conversation>;
  /**
   * Puts the newest leaf at or below a turn in view; `updated_at` stays. Throws `ConversationNotFound`, `TurnNotFound`.
   */
  setHead(id: string, turn: string): Promise<ConversationDetail>;
  /**
   * Takes a turn and everything below it away for good; its other versions stay. Where the head went with it, the newest
   * leaf among those is in view, or else the turn before. `updated_at` stays; without a turn left it has no title (K-055).
   * Throws `ConversationNotFound`, `TurnNotFound`, and `TurnInFlight` while a turn runs or waits.
   */
  truncate(id: string, turn: string): Promise<ConversationDetail>;
  /**
   * A new conversation with the path through a turn, `Branch of …` (K-056). A turn that runs is in it as after a crash; the
   * original stays as it is. Throws `ConversationNotFound`, `TurnNotFound`.
   */
  branch(id: string, turn: string): Promise<Conversation>;
  /** A new conversation with all of it, `Copy of …` (K-057). Throws `ConversationNotFound`. */
  duplicate(id: string): Promise<Conversation>;
  /** Marks everything up to now as read. */
  markRead(id: string): Promise<void>;
  /** The id itself, or the one conversation whose id starts with it (6 characters or more); `null` otherwise (K-071). */
  resolve(text: string): Promise<string | null>;
}

/** Titles that a model makes (K-065, K-070). */
export interface Titles {
  /**
   * Asks the conversation's own model for a title of the whole conversation and answers at once, before there is one. The
   * row is announced however that ends. Throws `ConversationNotFound`.
   */
  request(id: string): Promise<void>;
}

/** Conversations out of files. */
export interface Imports {
  /**
   * Makes a conversation of a JSONL export, read as it comes: all of it or nothing. Throws `BadRequest`, whose path is like
   * `line 17`, for what is cut off, forged, malformed or of a later version; and what the pieces themselves throw.
   */
  import(pieces: AsyncIterable<Uint8Array>, options?: { readonly signal?: AbortSignal }): Promise<Conversation>;
}
