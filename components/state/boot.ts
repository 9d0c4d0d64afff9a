/**
 * What the server hands to the islands of a page, once, so that the first drawing in the browser is the one on the page.
 *
 * @module
 */
import type { Conversation, Entry, PathTurn } from "../../core/log/entry.ts";

/** A page of the conversation list. */
export interface Rows {
  readonly items: readonly Conversation[];
  readonly next: string | null;
}

/** The colours a person chose; `auto` follows the machine. */
export type Theme = "auto" | "light" | "dark";

/** How the side stands: a width in pixels, or the rail. */
export interface Side {
  readonly width: number;
  readonly rail: boolean;
}

export interface Boot {
  /** Empty, or a path that starts with `/` and does not end with one. */
  readonly basePath: string;
  readonly version: string;
  /** `page`: which page of the product is shown. */
  readonly page: "start" | "conversation" | "memory" | "permissions" | "usage" | "settings" | "offline" | "other";
  readonly theme: Theme;
  readonly side: Side;
  readonly rows: Rows;
  /** The model that answers where a conversation names none, as its string. */
  readonly model: string;
  /** The one in view, with the end of its path. */
  readonly conversation: (Conversation & { readonly path: readonly PathTurn[] }) | null;
  readonly entries: { readonly items: readonly Entry[]; readonly last_seq: number };
  /** The `before` of the page of older entries, or `null` when the first entry is there. */
  readonly older: number | null;
  /** The `after` of the page of newer entries, or `null` when the last entry is there. */
  readonly newer?: number | null;
  /** The entry the page was opened at: the one that is marked. */
  readonly at?: number | null;
  /** When the server drew this, in milliseconds: what still runs is first drawn with this clock. */
  readonly now: number;
}
