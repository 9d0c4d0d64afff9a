/**
 * Conversations as a toolset works with them: list, read, search, rename, export.
 *
 * @module
 */
import type { Download, Downloads } from "../downloads/mod.ts";
import { serviceKey } from "../tool/mod.ts";
import type { Book } from "./contract.ts";
import { type ExportSource, openExport } from "./export.ts";
import type { SearchHit } from "./search.ts";

/** What a toolset may do with conversations. */
export interface ConversationAccess {
  readonly book: Book;
  /** A conversation as Markdown, the path in view. Throws `ConversationNotFound`. */
  markdown(id: string): Promise<string>;
  search(words: string, options: { readonly limit: number; readonly snippet: number }): Promise<readonly SearchHit[]>;
  /** Writes a conversation as Markdown into the folder of downloads. Throws `ConversationNotFound`. */
  exportFile(id: string, full: boolean): Promise<Download>;
}

/** Conversations, for toolsets. */
export const CONVERSATIONS = serviceKey<ConversationAccess>("conversations");

/** What it is made of. */
export interface AccessServices {
  readonly source: ExportSource;
  readonly book: Book;
  readonly search: ConversationAccess["search"];
  /** The folder of downloads. */
  readonly downloads: Downloads;
}

/** Makes it. */
export function conversationAccess({ source, book, search, downloads }: AccessServices): ConversationAccess {
  return {
    book,
    search,
    async markdown(id) {
      const { pieces } = await openExport(source, id, { format: "md", full: false });
      return (await Array.fromAsync(pieces)).join("");
    },
    async exportFile(id, full) {
      const { pieces, ascii } = await openExport(source, id, { format: "md", full });
      return await downloads.put(ascii, pieces);
    },
  };
}
