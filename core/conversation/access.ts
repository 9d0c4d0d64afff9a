/**
 * Conversations as a toolset works with them: list, read, search, rename, export.
 *
 * @module
 */
import { join } from "node:path";
import { serviceKey } from "../tool/mod.ts";
import type { Book } from "./contract.ts";
import { type ExportSource, openExport } from "./export.ts";
import type { SearchHit } from "./search.ts";

/** An export that was written. */
export interface WrittenExport {
  readonly path: string;
  /** Its name below `/downloads/`. */
  readonly name: string;
  readonly lines: number;
  readonly bytes: number;
}

/** What a toolset may do with conversations. */
export interface ConversationAccess {
  readonly book: Book;
  /** A conversation as Markdown, the path in view. Throws `ConversationNotFound`. */
  markdown(id: string): Promise<string>;
  search(words: string, limit: number): Promise<readonly SearchHit[]>;
  /** Writes a conversation as Markdown into the folder of downloads. Throws `ConversationNotFound`. */
  exportFile(id: string, full: boolean): Promise<WrittenExport>;
}

/** Conversations, for toolsets. */
export const CONVERSATIONS = serviceKey<ConversationAccess>("conversations");

/** What it is made of. */
export interface AccessServices {
  readonly source: ExportSource;
  readonly book: Book;
  readonly search: (words: string, limit: number) => Promise<readonly SearchHit[]>;
  /** The folder of downloads; made on first use. */
  readonly downloads: string;
}

/** Makes it. */
export function conversationAccess({ source, book, search, downloads }: AccessServices): ConversationAccess {
  const text = async (id: string, full: boolean) => {
    const { pieces, ascii } = await openExport(source, id, { format: "md", full });
    return { markdown: (await Array.fromAsync(pieces)).join(""), name: ascii };
  };
  return {
    book,
    search,
    markdown: async (id) => (await text(id, false)).markdown,
    async exportFile(id, full) {
      const { markdown, name } = await text(id, full);
      await Deno.mkdir(downloads, { recursive: true, mode: 0o700 });
      const path = join(downloads, name);
      await Deno.writeTextFile(path, markdown, { mode: 0o600 });
      return { path, name, lines: markdown.split("\n").length, bytes: new TextEncoder().encode(markdown).byteLength };
    },
  };
}
