/**
 * The inside of a block that is still growing: the items, rows, lines and quoted blocks that nothing can change any more.
 *
 * A list of a thousand items is not parsed again for each word of the last one: what is settled of it is kept, the rest is
 * parsed as if the block began there, and the two are put together. Where that would not be exact, nothing is kept and the
 * block is parsed whole.
 *
 * Invariants (tests/components/markdown/open_block_test.ts pins each)
 * 1. What is put together is, token for token, what one parse of the whole block gives.
 * 2. An item, row or quoted block that is kept keeps its identity, so that it is drawn once.
 *
 * @module
 */
import type { Tokens } from "marked";
import type { growMarkdown, MarkdownDocument, shownBlocks } from "./document.ts";
import { lexAfter, type MarkdownToken } from "./lexer.ts";

/** What is kept of an open block. `raw` is the source of it. */
export type OpenBlock =
  | { readonly kind: "list"; readonly raw: string; readonly list: Tokens.List }
  | { readonly kind: "table"; readonly raw: string; readonly head: string; readonly rows: readonly TableRow[] }
  | { readonly kind: "code"; readonly raw: string; readonly fence: string }
  | { readonly kind: "quote"; readonly raw: string; readonly inner: MarkdownDocument };

type TableRow = Tokens.Table["rows"][number];

/** How the end of the block is to be read: as it is, as it will look once it is closed, or for good. */
export type Reading = "plain" | "shown" | "final";

/** Reads what is quoted as a text of its own: the document this block belongs to, handed down. */
export interface InnerReader {
  readonly grow: typeof growMarkdown;
  readonly shown: typeof shownBlocks;
}

/** Below this many UTF-16 code units a block is simply parsed again. */
const WORTH_KEEPING = 400;
/** The last two items or rows may still change. */
const UNSETTLED = 2;

/** What can be kept of the block that `source` begins with, given its token; what was kept before if that is no less. */
export function keepOf(
  source: string,
  token: MarkdownToken,
  before: OpenBlock | null,
  inner: InnerReader,
): OpenBlock | null {
  if (source.length < WORTH_KEEPING) return before;
  switch (token.type) {
    case "list":
      return keptItems(source, token as Tokens.List) ?? before;
    case "table":
      return keptRows(source, token as Tokens.Table) ?? before;
    case "code":
      return keptLines(source) ?? before;
    case "blockquote":
      return keptQuote(source, before?.kind === "quote" ? before : null, inner) ?? before;
    default:
      return null;
  }
}

/**
 * The blocks of a text of which `open` is kept and `rest` is what follows. `null` where the two do not go together any
 * more: then the block is to be parsed whole.
 */
export function readOn(
  open: OpenBlock,
  rest: string,
  { definitions, reading, inner }: {
    readonly definitions: string;
    readonly reading: Reading;
    readonly inner: InnerReader;
  },
): MarkdownToken[] | null {
  switch (open.kind) {
    case "list":
      return readItems(open.list, rest, definitions);
    case "table":
      return readRows(open, rest, definitions);
    case "code":
      return readLines(open, rest, definitions);
    case "quote":
      return readQuote(open, rest, definitions, reading, inner);
    default:
      return open satisfies never;
  }
}

function keptItems(source: string, list: Tokens.List): OpenBlock | null {
  const items = list.items.slice(0, -UNSETTLED);
  const length = items.reduce((sum, item) => sum + item.raw.length, 0);
  if (items.length === 0 || !/^ {0,3}(?:[*+-]|\d{1,9}[.)])(?:\s|$)/.test(source.slice(length, length + 16))) {
    return null;
  }
  const raw = source.slice(0, length);
  return { kind: "list", raw, list: { ...list, items, raw } };
}

/** A list that is loose stays so; one that becomes loose changes every item of it. */
function readItems(list: Tokens.List, rest: string, definitions: string): MarkdownToken[] | null {
  const bullet = /^ *(\d{1,9}[.)]|[*+-])/.exec(list.raw)![1]!;
  const loosener = list.loose ? `${bullet} x\n\n` : "";
  const [first, ...others] = lexAfter(definitions, loosener + rest);
  if (first?.type !== "list") return null;
  const read = first as Tokens.List;
  if (read.loose !== list.loose) return null;
  const items = list.loose ? read.items.slice(1) : read.items;
  const raw = list.raw + read.raw.slice(loosener.length);
  return [{ ...list, raw, items: [...list.items, ...items] }, ...others];
}

function keptRows(source: string, table: Tokens.Table): OpenBlock | null {
  const rows = table.rows.slice(0, -UNSETTLED);
  if (rows.length === 0) return null;
  const headEnd = source.indexOf("\n", source.indexOf("\n") + 1) + 1;
  // From the end, so that the cost is that of the last rows.
  let length = table.raw.trimEnd().length;
  for (let row = 0; row < UNSETTLED; row++) length = source.lastIndexOf("\n", length - 1);
  return { kind: "table", raw: source.slice(0, length + 1), head: source.slice(0, headEnd), rows };
}

function readRows(
  { head, rows, raw: kept }: Extract<OpenBlock, { kind: "table" }>,
  rest: string,
  definitions: string,
): MarkdownToken[] | null {
  const [first, ...others] = lexAfter(definitions, head + rest);
  if (first?.type !== "table") return null;
  const read = first as Tokens.Table;
  const raw = kept + read.raw.slice(head.length);
  return [{ ...read, raw, rows: [...rows, ...read.rows] }, ...others];
}

/** Kept up to a line that says something, so that what follows is never blank lines alone, which the parser may drop. */
function keptLines(source: string): OpenBlock | null {
  const fence = /^(?:`{3,}[^`\n]*|~{3,}[^\n]*)\n/.exec(source)?.[0];
  if (!fence) return null;
  let end = source.lastIndexOf("\n");
  let start = source.lastIndexOf("\n", end - 1) + 1;
  while (end > fence.length && source.slice(start, end).trim() === "") {
    end = start - 1;
    start = source.lastIndexOf("\n", end - 1) + 1;
  }
  const mayClose = /^ {0,3}(?:`{3,}|~{3,})/.test(source.slice(start, end));
  return start <= fence.length || mayClose ? null : { kind: "code", raw: source.slice(0, start), fence };
}

function readLines(
  { raw: kept, fence }: Extract<OpenBlock, { kind: "code" }>,
  rest: string,
  definitions: string,
): MarkdownToken[] | null {
  const [first, ...others] = lexAfter(definitions, fence + rest);
  if (first?.type !== "code") return null;
  const code = first as Tokens.Code;
  const raw = kept + code.raw.slice(fence.length);
  return [{ ...code, raw, text: kept.slice(fence.length) + code.text }, ...others];
}

const QUOTED_LINES = /^(?: {0,3}>[^\n\t]*(?:\n|$))+/;

/** Only a quote each line of which is marked, and that defines no links, is read as a text of its own. */
function keptQuote(
  source: string,
  before: Extract<OpenBlock, { kind: "quote" }> | null,
  inner: InnerReader,
): OpenBlock | null {
  const from = before?.raw.length ?? 0;
  const raw = source.slice(from, source.lastIndexOf("\n") + 1);
  if (raw === "" || QUOTED_LINES.exec(raw)?.[0] !== raw || /\]:/.test(raw)) return null;
  const text = (before?.inner.text ?? "") + unquoted(raw);
  return { kind: "quote", raw: (before?.raw ?? "") + raw, inner: inner.grow(before?.inner, text, false) };
}

function readQuote(
  { raw: kept, inner: before }: Extract<OpenBlock, { kind: "quote" }>,
  rest: string,
  definitions: string,
  reading: Reading,
  inner: InnerReader,
): MarkdownToken[] | null {
  if (definitions !== "") return null;
  const lines = QUOTED_LINES.exec(rest)?.[0] ?? "";
  const after = rest.slice(lines.length);
  // Without a mark a line may still belong to the quote; after a blank one it cannot.
  if (/\]:/.test(lines) || (after !== "" && !/^[ \t]*\n/.test(after))) return null;
  const ended = after !== "" || reading === "final";
  const raw = withoutLineEnd(kept + lines);
  const all = before.text + unquoted(lines);
  const text = raw.length < kept.length + lines.length ? withoutLineEnd(all) : all;
  const grown = inner.grow(before, ended ? text : all, ended);
  const tokens = reading === "shown" ? inner.shown(grown) : grown.blocks;
  return [
    { type: "blockquote", raw, text, tokens: tokens as Tokens.Blockquote["tokens"] },
    ...lexAfter("", after),
  ];
}

function unquoted(lines: string): string {
  return lines.replace(/^ {0,3}>[ ]?/gm, "");
}

function withoutLineEnd(text: string): string {
  return text.endsWith("\n") ? text.slice(0, -1) : text;
}
