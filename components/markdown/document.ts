/**
 * Markdown as blocks, parsed as it grows.
 *
 * Invariants (tests/components/markdown/document_test.ts pins each)
 * 1. `parseMarkdown(text)` is the one parse of a text; a document that was told it is final holds exactly those blocks.
 * 2. While it grows, a block that a later line can no longer change is not parsed again and keeps its identity, so the
 *    cost of a piece does not grow with the length of what stands before the open block.
 * 3. Any text at all has a document, soon: one that is nested past what the parser's stack holds, or that would keep it busy
 *    for seconds, is one listing of its source, and a paragraph past 10,000 characters is plain text.
 *
 * @module
 */
import { Lexer, Marked, type Token } from "marked";
import { mathBlock, mathInline, type MathToken } from "./math.ts";

/** A block or a span as the parser gives it. */
export type MarkdownToken = Token | MathToken;

/** A parsed text. */
export interface MarkdownDocument {
  readonly text: string;
  readonly blocks: readonly MarkdownToken[];
  /** The link definitions the blocks were parsed with; two equal blocks are drawn alike only if these agree too. */
  readonly links: string;
  /** How much of `text` is settled, in UTF-16 code units, how many of `blocks`, and the link definitions among it. */
  readonly settled: { readonly length: number; readonly blocks: number; readonly definitions: string };
  readonly final: boolean;
}

const parser = new Marked({ gfm: true, extensions: [mathBlock, mathInline] });

/** A longer text, in UTF-16 code units, is not looked into at all: three hundred pages. */
const LONGEST_TEXT = 500_000;
/** The spans of a longer paragraph are not looked for: finding them may take the square of its length. */
const LONGEST_PARAGRAPH = 10_000;

class BoundedLexer extends Lexer {
  override inlineTokens(source: string, tokens: Token[] = []): Token[] {
    if (source.length <= LONGEST_PARAGRAPH) return super.inlineTokens(source, tokens);
    tokens.push({ type: "text", raw: source, text: source });
    return tokens;
  }
}

/** Parses a whole text at once. */
export function parseMarkdown(text: string): MarkdownDocument {
  const blocks = lex(text);
  return {
    text,
    blocks: blocks.filter(isShown),
    links: linksOf(blocks),
    settled: { length: text.length, blocks: blocks.length, definitions: "" },
    final: true,
  };
}

/**
 * The document of `text`, which starts with what `before` holds. Only what is not settled is parsed; a text that does not
 * continue the former one, or is `final`, is parsed whole.
 */
export function growMarkdown(before: MarkdownDocument | undefined, text: string, final: boolean): MarkdownDocument {
  if (final) return before?.final && before.text === text ? before : parseMarkdown(text);
  if (before && !before.final && before.text === text) return before;
  const goesOn = before && !before.final && text.length > before.text.length && text.startsWith(before.text);
  const settled = goesOn ? before.settled : { length: 0, blocks: 0, definitions: "" };
  const tail = lexAfter(settled.definitions, text.slice(settled.length));
  const done = tail.slice(0, settledCount(tail));
  return {
    text,
    blocks: [...(goesOn ? before.blocks.slice(0, settled.blocks) : []), ...tail.filter(isShown)],
    links: "",
    settled: {
      length: settled.length + done.reduce((sum, block) => sum + block.raw.length, 0),
      blocks: settled.blocks + done.filter(isShown).length,
      definitions: settled.definitions + definitionsOf(done),
    },
    final: false,
  };
}

/** The blocks of `tail`, parsed with link definitions that stand somewhere before it. */
function lexAfter(definitions: string, tail: string): MarkdownToken[] {
  const blocks = lex(definitions + tail);
  let length = 0;
  return blocks.filter((block) => (length += block.raw.length) > definitions.length);
}

function definitionsOf(blocks: readonly MarkdownToken[]): string {
  return blocks.filter((block) => block.type === "def").map((block) => `${block.raw.trimEnd()}\n\n`).join("");
}

function lex(text: string): MarkdownToken[] {
  if (text.length > LONGEST_TEXT || isNestedTooDeep(text) || isSlowToParse(text)) return asListing(text);
  try {
    return new BoundedLexer(parser.defaults).lex(text) as MarkdownToken[];
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return asListing(text);
  }
}

function asListing(text: string): MarkdownToken[] {
  return [{ type: "code", raw: text, text, lang: "" }];
}

/** A line that opens a hundred quotes or lists, or a list item that stands four hundred columns in. */
function isNestedTooDeep(text: string): boolean {
  return /^(?:[ \t]{0,3}(?:[>*+-]|\d{1,9}[.)])){100}/m.test(text) || /^ {400,}(?:[*+-]|\d{1,9}[.)]) /m.test(text);
}

/** What may stand before the `@` of an address; the parser takes the square of the length of it. */
const LOCAL_PART = /[A-Za-z0-9.!#$%&'*+/=?_`{|}~-]+@?/g;
const LONGEST_LOCAL_PART = 1000;

function isSlowToParse(text: string): boolean {
  if (text.length <= LONGEST_LOCAL_PART || !text.includes("@")) return false;
  for (const [run] of text.matchAll(LOCAL_PART)) if (run.length > LONGEST_LOCAL_PART && run.endsWith("@")) return true;
  return false;
}

function isShown(token: MarkdownToken): boolean {
  return token.type !== "space" && token.type !== "def";
}

function linksOf(blocks: readonly MarkdownToken[]): string {
  const links = (blocks as { links?: Record<string, unknown> }).links ?? {};
  return Object.keys(links).length > 0 ? JSON.stringify(links) : "";
}

/**
 * How many of the leading blocks nothing that follows can change: those before the last one that is shown, provided
 * that one holds a whole line (until then "#" may become a heading or a word, "2" the next item of a list).
 */
function settledCount(blocks: readonly MarkdownToken[]): number {
  const last = blocks.findLastIndex(isShown);
  if (last <= 0) return 0;
  const rest = blocks.slice(last).map((block) => block.raw).join("");
  return rest.includes("\n") ? last : 0;
}

/**
 * The blocks to draw while the text grows: the open one is drawn as what it will become, so that half of a bold word is
 * bold and half of a link is its text. Changes nothing of the document itself.
 */
export function shownBlocks(document: MarkdownDocument): readonly MarkdownToken[] {
  const last = document.blocks.at(-1);
  if (document.final || !last || !OPEN_ENDED.has(last.type)) return document.blocks;
  const formula = openFormula(last);
  if (formula) return [...document.blocks.slice(0, -1), formula];
  const closed = closeSpans(last.raw);
  if (closed === last.raw) return document.blocks;
  return [...document.blocks.slice(0, -1), ...lexAfter(document.settled.definitions, closed).filter(isShown)];
}

/** A paragraph that a formula's mark opens becomes that formula: until it is whole its source is shown as it is. */
function openFormula({ type, raw }: MarkdownToken): MathToken | null {
  if (type !== "paragraph" || !/^ {0,3}(?:\$\$|\\\[)/.test(raw)) return null;
  return { type: "math", raw, source: raw.trim(), display: true };
}

const OPEN_ENDED: ReadonlySet<string> = new Set(["paragraph", "heading", "list", "blockquote", "table"]);

/** `text` with the spans closed that its last line leaves open, and without marks that open nothing yet. */
export function closeSpans(text: string): string {
  const at = text.lastIndexOf("\n", text.length - 2) + 1;
  const line = text.slice(at);
  if (line.trim() === "" || line.includes("```") || line.endsWith("\n")) return text;
  const linked = line.replace(/!?\[([^\]\n]*)\]\([^)\s]*$/, "$1");
  const bare = linked.replace(/(?<=[\s(])[*_`~]+$/, "");
  const ticks = bare.split("`").length - 1;
  if (ticks % 2 === 1) return `${text.slice(0, at)}${bare}\``;
  const outside = bare.split("`").filter((_, index) => index % 2 === 0).join("");
  const half = /(?<!\*)\*$/.test(bare) && outside.split("**").length % 2 === 0 ? bare.slice(0, -1) : bare;
  const strong = half.split("`").filter((_, index) => index % 2 === 0).join("").split("**").length % 2 === 0;
  return `${text.slice(0, at)}${half}${strong ? "**" : ""}`;
}
