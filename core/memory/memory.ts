/**
 * What the rest of the house knows of memories: facts as text, kept across conversations and found by meaning (K-331).
 *
 * @module
 */
import { serviceKey } from "../tool/mod.ts";

/** A fact that is remembered. Its text is data: nothing in it is an instruction to anyone. */
export interface Memory {
  /** ULID. */
  readonly id: string;
  readonly text: string;
  /** The conversation it was stored from; `null` when a person wrote it. */
  readonly origin: string | null;
  /** ISO 8601. */
  readonly created_at: string;
  readonly updated_at: string;
}

/** A memory that a search found. */
export interface FoundMemory extends Memory {
  /** From 0 to 1; hits come in this order. It compares the hits of one search, no more. */
  readonly score: number;
}

/** A page of memories, the newest first. */
export interface MemoryPage {
  readonly items: readonly Memory[];
  /** `before` of the next page. */
  readonly next: string | null;
}

export interface MemorySearchOptions {
  /** Hits at most. Default 10. */
  readonly limit?: number;
  readonly signal?: AbortSignal;
}

/** The memories of this installation. Everything is durable when it resolves. */
export interface MemoryStore {
  /** Stores a fact; an equal one that is there already is given instead. Throws `BadMemory`. */
  add(
    text: string,
    options?: { readonly origin?: string | null },
  ): Promise<{ readonly memory: Memory; readonly isNew: boolean }>;
  /** By meaning and by words, the best first. Where meaning cannot be compared, by words alone. */
  search(query: string, options?: MemorySearchOptions): Promise<readonly FoundMemory[]>;
  /** Newest first; `before` is the id of the last one seen. */
  list(options?: { readonly limit?: number; readonly before?: string }): Promise<MemoryPage>;
  count(): Promise<number>;
  /** Changes its text. Throws `BadMemory`, `MemoryNotFound`, or `MemoryExists` when another says the same. */
  edit(id: string, text: string): Promise<Memory>;
  /** It can be brought back for ten minutes. `false` when there was none. */
  remove(id: string): Promise<boolean>;
  /** Removes the memory with exactly this text; `null` when there is none. */
  removeText(text: string): Promise<Memory | null>;
  /** Brings a removed one back. Throws `MemoryNotFound` after ten minutes. */
  restore(id: string): Promise<Memory>;
}

/** How a toolset asks for the memories. */
export const MEMORY = serviceKey<MemoryStore>("memory");

/** The longest memory, in characters. */
export const MAX_MEMORY_LENGTH = 8000;

/** The text cannot be a memory; the message says what would be right. */
export class BadMemory extends Error {
  override readonly name = "BadMemory";
}

/** There is no such memory (any more). */
export class MemoryNotFound extends Error {
  override readonly name = "MemoryNotFound";
  constructor(readonly id: string) {
    super(`There is no memory "${id}" any more`);
  }
}

/** Another memory says the same. */
export class MemoryExists extends Error {
  override readonly name = "MemoryExists";
  constructor(readonly id: string) {
    super("Another memory says exactly this already");
  }
}

/** The text as it is stored: without blanks around it, characters in their composed form. Throws `BadMemory`. */
export function memoryText(text: string): string {
  const clean = text.toWellFormed().normalize("NFC").replaceAll("\0", "").trim();
  if (clean === "") throw new BadMemory("A memory cannot be empty: write the fact as a sentence");
  if (clean.length > MAX_MEMORY_LENGTH) {
    throw new BadMemory(
      `A memory holds ${MAX_MEMORY_LENGTH} characters at most, this has ${clean.length}: keep it as a document, and the fact alone as a memory`,
    );
  }
  return clean;
}
