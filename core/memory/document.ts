/**
 * What the rest of the house knows of documents: longer texts, each at a path, found by their words (K-332).
 *
 * @module
 */
import { serviceKey } from "../tool/mod.ts";

/** A document without its text. */
export interface DocumentInfo {
  /** Like `travel/coast.md`: no leading slash, no `..`. */
  readonly path: string;
  /** UTF-16 units, as offsets count. */
  readonly characters: number;
  /** Grows with each change. */
  readonly revision: number;
  readonly created_at: string;
  readonly updated_at: string;
}

/** A whole document. */
export interface Document extends DocumentInfo {
  readonly content: string;
}

/** A part of a document. */
export interface DocumentWindow extends DocumentInfo {
  readonly text: string;
  /** Where `text` begins and ends. */
  readonly from: number;
  readonly to: number;
  /** Whether this conversation has now seen every part of this revision. */
  readonly isReadWhole: boolean;
}

/** A document that a search found. */
export interface FoundDocument extends DocumentInfo {
  /** Of 1,500 characters at most, around what matched. */
  readonly excerpt: string;
  /** Where it begins and ends. */
  readonly from: number;
  readonly to: number;
  /** From 0 to 1; hits come in this order. */
  readonly score: number;
}

/** Who saves a document, and what they know of the one that is there. */
export interface SaveOptions {
  /** The conversation that may have read it. */
  readonly reader?: string;
  /** Replace whatever is there. */
  readonly overwrite?: boolean;
  /** The revision that was read whole. */
  readonly revision?: number;
}

/** The documents of this installation. Paths are normalised first: every call throws `BadPath` for one that cannot be. */
export interface DocumentStore {
  /**
   * Creates or replaces. Replacing needs `overwrite`, or that `reader` has read the present revision whole (K-332), or its
   * number. Throws `BadDocument`, or `NotReadWhole`.
   */
  save(
    path: string,
    content: string,
    options?: SaveOptions,
  ): Promise<{ readonly document: DocumentInfo; readonly isNew: boolean }>;
  /** A part of at most `length` characters from `offset` on; `reader` is the conversation that sees it. Throws `DocumentNotFound`. */
  read(
    path: string,
    options: { readonly offset: number; readonly length: number; readonly reader?: string },
  ): Promise<DocumentWindow>;
  /** The whole of it, or `null`. Nobody counts as having read it. */
  get(path: string): Promise<Document | null>;
  /** Replaces the one place where `find` stands, exactly. Throws `DocumentNotFound`, `BadDocument`, or `NoSingleMatch`. */
  edit(
    path: string,
    change: { readonly find: string; readonly replace: string; readonly reader?: string },
  ): Promise<DocumentInfo>;
  /** By path; `under` is a folder, `after` the last path seen. */
  list(
    options?: { readonly under?: string; readonly after?: string; readonly limit?: number },
  ): Promise<{ readonly items: readonly DocumentInfo[]; readonly next: string | null }>;
  /** By words, the best first. */
  search(query: string, options?: { readonly limit?: number }): Promise<readonly FoundDocument[]>;
  /** `false` when there was none. */
  remove(path: string): Promise<boolean>;
  /** Paths that are spelled like this one, the likest first. */
  near(path: string): Promise<readonly string[]>;
}

/** How a toolset asks for the documents. */
export const DOCUMENTS = serviceKey<DocumentStore>("documents");

/** The longest document, in characters. */
export const MAX_DOCUMENT_LENGTH = 4_000_000;

/** The text cannot be a document, or the change is none; the message says what would be right. */
export class BadDocument extends Error {
  override readonly name = "BadDocument";
}

/** The path cannot be one of a document; the message says what would be right. */
export class BadPath extends Error {
  override readonly name = "BadPath";
  constructor(readonly path: string, why: string) {
    super(`"${path}" is no path of a document: ${why}`);
  }
}

/** There is no document at this path. */
export class DocumentNotFound extends Error {
  override readonly name = "DocumentNotFound";
  constructor(readonly path: string) {
    super(`There is no document "${path}"`);
  }
}

/** A document would be replaced that was not read whole, or that changed since (K-333). */
export class NotReadWhole extends Error {
  override readonly name = "NotReadWhole";
  constructor(readonly path: string, readonly characters: number) {
    super(`The document "${path}" is there already and was not read whole`);
  }
}

/** The text to replace stands nowhere, or in several places. */
export class NoSingleMatch extends Error {
  override readonly name = "NoSingleMatch";
  constructor(readonly path: string, readonly count: number) {
    super(`The text to replace stands in ${count} places of "${path}"`);
  }
}
