/**
 * Setting texts of any content into one Markdown document, so that none reaches out of its place.
 *
 * Invariants (tests/core/log/folds/markdown_text_test.ts)
 * 1. A fence is longer than any run of its marks inside it, so that nothing in it ends it.
 * 2. Words in a line stay words: no mark in them makes anything of what stands around them.
 * 3. A quotation holds all of its text, whatever line breaks that uses.
 *
 * @module
 */
import { closing } from "./markdown_open.ts";

/** Most characters of one tool's arguments or result that stand in an export that is not full (K-082). */
export const PAYLOAD_LIMIT = 4000;

/** A text as it was written, with what it left open closed. */
export function verbatim(text: string): string {
  return text + closing(text);
}

/** A text as code: nothing in it is read. `language` is a word of ours, never of the text. */
export function fenced(text: string, language = ""): string {
  const fence = "`".repeat(Math.max(3, longestRun(text) + 1));
  return `${fence}${language}\n${text}${/[\r\n]$/.test(text) || text === "" ? "" : "\n"}${fence}`;
}

/** A text as a quotation, line by line. */
export function quoted(markdown: string): string {
  return markdown.split(/\r\n|\r|\n/).map((line) => line === "" ? ">" : `> ${line}`).join("\n");
}

/** A text as words within a line. */
export function words(text: string): string {
  return flat(text).replace(/[\\`*_[\]<>&~|#$]/g, "\\$&");
}

/** A short text as code within a line. */
export function code(text: string): string {
  const line = flat(text);
  if (line === "") return "";
  const longest = longestRun(line);
  if (longest === 0) return `\`${line}\``;
  const marks = "`".repeat(longest + 1);
  return `${marks} ${line} ${marks}`;
}

/** A link by name. `ref` is one of ours: `/images/…` or `/payloads/…`. */
export function link(name: string, ref: string): string {
  return `[${words(name) || "file"}](<${ref.replace(/[\\<>\s]/g, encodeURIComponent)}>)`;
}

/** The beginning of a text, and how much of it there is. Cuts no character in two. */
export function beginning(text: string, limit: number): { readonly text: string; readonly cut: boolean } {
  if (text.length <= limit) return { text, cut: false };
  return { text: text.slice(0, limit).replace(/[\uD800-\uDBFF]$/, ""), cut: true };
}

/** Blocks of a document, each apart from the next. Empty ones are left out. */
export function blocks(...all: readonly string[]): string {
  return all.filter((each) => each !== "").join("\n\n");
}

/** The most marks of code in a row. */
function longestRun(text: string): number {
  return (text.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 0);
}

function flat(text: string): string {
  // deno-lint-ignore no-control-regex -- control characters have no place in a line
  return text.replace(/[\s\u0000-\u001f\u007f]+/g, " ").trim();
}
