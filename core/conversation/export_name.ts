/**
 * What an exported file is called: `2026-11-30-when-is-low-water-4c9fk2.md` (K-083).
 *
 * @module
 */
import type { Conversation } from "../log/mod.ts";

/** The forms a conversation is exported in. */
export type ExportFormat = "md" | "jsonl";

/** A name for a file: as it is, and for those who can only take ASCII. Neither holds anything but words, dots and dashes. */
export interface ExportName {
  readonly name: string;
  readonly ascii: string;
}

/** The day it was begun, its title in small letters, and the end of its id, by which names of one day differ. */
export function exportName(
  { id, title, created_at }: Pick<Conversation, "id" | "title" | "created_at">,
  format: ExportFormat,
  full: boolean,
): ExportName {
  const day = /^\d{4}-\d{2}-\d{2}/.exec(created_at)?.[0] ?? "";
  const fragment = id.toLowerCase().replaceAll(/[^a-z0-9]/g, "").slice(-6);
  const named = (runs: RegExp) => {
    const slug = (title.toLowerCase().match(runs) ?? []).join("-");
    return `${[day, slug, fragment].filter((part) => part !== "").join("-")}${full ? ".full" : ""}.${format}`;
  };
  return { name: named(/[\p{L}\p{M}\p{N}]+/gu), ascii: named(/[a-z0-9]+/g) };
}
