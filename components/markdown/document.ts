/**
 * Markdown as blocks, parsed as it grows.
 *
 * Invariants (tests/components/markdown/document_test.ts pins each)
 * 1. `parseMarkdown(text)` is the one parse of a text; a document that was told it is final holds exactly those blocks.
 * 2. While it grows, a block that a later line can no longer change is not parsed again and keeps its identity, and neither
 *    is what is settled inside the open block: the cost of a piece does not grow with the length of what stands before it.
 *
 * @module
 */
import { isShown, lex, lexAfter, type MarkdownToken, withLineFeeds } from "./lexer.ts";
import type { MathToken } from "./math.ts";
import { type InnerReader, keepOf, type OpenBlock, type Reading, readOn } from "./open_block.ts";

export type { MarkdownToken };

/** A parsed text. */
export interface MarkdownDocument {
  readonly text: string;
  readonly blocks: readonly MarkdownToken[];
  /** The link definitions the blocks were parsed with; two equal blocks are drawn alike only if these agree too. */
  readonly links: string;
  /**
   * How much of the text (with line feeds only) is settled, in UTF-16 code units, how many of `blocks`, the link definitions
   * among it, and what is kept of the block that follows.
   */
  readonly settled: {
    readonly length: number;
    readonly blocks: number;
    readonly definitions: string;
    readonly open: OpenBlock | null;
  };
  readonly final: boolean;
}

const NOTHING: MarkdownDocument["settled"] = { length: 0, blocks: 0, definitions: "", open: null };

const INNER: InnerReader = { grow: growMarkdown, shown: shownBlocks };

/** Parses a whole text at once. */
export function parseMarkdown(text: string): MarkdownDocument {
  const blocks = lex(withLineFeeds(text));
  return whole(text, blocks.filter(isShown), linksOf(blocks));
}

function whole(text: string, blocks: readonly MarkdownToken[], links: string): MarkdownDocument {
  return { text, blocks, links, settled: { ...NOTHING, length: text.length, blocks: blocks.length }, final: true };
}

/**
 * The document of `text`, which starts with what `before` holds. Only what is not settled is parsed; a text that does not
 * continue the former one is parsed whole.
 */
export function growMarkdown(before: MarkdownDocument | undefined, text: string, final: boolean): MarkdownDocument {
  if (before?.final === final && before.text === text) return before;
  const goesOn = before && !before.final && continues(text, before.text);
  if (final) return goesOn ? finished(before, text) : parseMarkdown(text);
  return grown(goesOn ? before : undefined, text);
}

/** Eight times as fast as `startsWith()`, which looks at one character after the other. */
function continues(text: string, former: string): boolean {
  return text.slice(0, former.length) === former;
}

/** While a line may still end in a carriage return and a line feed, the return is not looked at. */
function sourceOf(text: string): string {
  return withLineFeeds(text.endsWith("\r") ? text.slice(0, -1) : text);
}

function grown(before: MarkdownDocument | undefined, text: string): MarkdownDocument {
  const source = sourceOf(text);
  const settled = before?.settled ?? NOTHING;
  const tail = source.slice(settled.length);
  const { tokens, open } = readTail(settled, tail, "plain");
  const done = settledOf(tokens, tail);
  const doneLength = lengthOf(done);
  return {
    text,
    blocks: [...(before?.blocks.slice(0, settled.blocks) ?? []), ...tokens.filter(isShown)],
    links: "",
    settled: {
      length: settled.length + doneLength,
      blocks: settled.blocks + done.filter(isShown).length,
      definitions: settled.definitions + definitionsOf(done),
      open: kept(tail.slice(doneLength), tokens.slice(done.length), done.length > 0 ? null : open),
    },
    final: false,
  };
}

/** What can be kept of the open block; nothing unless it is the only one that is not settled. */
function kept(tail: string, tokens: readonly MarkdownToken[], before: OpenBlock | null): OpenBlock | null {
  const [first, ...others] = tokens;
  if (!first || others.some(isShown)) return before;
  return keepOf(tail, first, before, INNER);
}

/** The blocks of what is not settled, and what was kept of the first of them if that was of use. */
function readTail({ open, definitions }: MarkdownDocument["settled"], tail: string, reading: Reading): {
  readonly tokens: readonly MarkdownToken[];
  readonly open: OpenBlock | null;
} {
  const tokens = open && readOn(open, tail.slice(open.raw.length), { definitions, reading, inner: INNER });
  return tokens ? { tokens, open } : { tokens: lexAfter(definitions, tail), open: null };
}

/** The final document: the one parse of the text, in which what was drawn like that already keeps its identity. */
function finished(before: MarkdownDocument, text: string): MarkdownDocument {
  const parsed = parseMarkdown(text);
  if (parsed.links !== before.links) return parsed;
  const blocks = parsed.blocks.map((block, at) => {
    const drawn = before.blocks[at];
    return drawn && drawn.raw === block.raw && JSON.stringify(drawn) === JSON.stringify(block) ? drawn : block;
  });
  return { ...parsed, blocks };
}

function definitionsOf(blocks: readonly MarkdownToken[]): string {
  return blocks.filter((block) => block.type === "def").map((block) => `${block.raw.trimEnd()}\n\n`).join("");
}

function linksOf(blocks: readonly MarkdownToken[]): string {
  const links = (blocks as { links?: Record<string, unknown> }).links ?? {};
  return Object.keys(links).length > 0 ? JSON.stringify(links) : "";
}

/**
 * The leading blocks that nothing that follows can change: those before the last one that is shown, provided that enough of
 * that one is there to know that it begins where it does.
 */
function settledOf(blocks: readonly MarkdownToken[], source: string): readonly MarkdownToken[] {
  const last = blocks.findLastIndex(isShown);
  if (last <= 0) return [];
  const done = blocks.slice(0, last);
  return isSure(blocks[last]!, source, lengthOf(done)) ? done : [];
}

/**
 * Whether a block begins where it does, whatever follows: a whole line of it is there (until then "#" may become a heading or
 * a word, "2" the next item of a list), of a table the line below its head as well, of a formula and of a heading all lines.
 * Of half a line the parser may make one that was never written, so it is the source that is asked.
 */
function isSure(block: MarkdownToken, source: string, from: number): boolean {
  const isAsLongAsItIs = block.type === "math" || block.type === "heading";
  const first = source.indexOf("\n", isAsLongAsItIs ? from + block.raw.trimEnd().length : from);
  return first >= 0 && (block.type !== "table" || source.includes("\n", first + 1));
}

function lengthOf(blocks: readonly MarkdownToken[]): number {
  return blocks.reduce((sum, block) => sum + block.raw.length, 0);
}

/**
 * The blocks to draw while the text grows: the open one is drawn as what it will become, so that half of a bold word is
 * bold and half of a link is its text. Changes nothing of the document itself.
 */
export function shownBlocks(document: MarkdownDocument): readonly MarkdownToken[] {
  const last = document.blocks.at(-1);
  if (document.final || !last) return document.blocks;
  if (last.type === "code") return [...document.blocks.slice(0, -1), withoutHalfFence(last)];
  if (!OPEN_ENDED.has(last.type)) return document.blocks;
  const formula = openFormula(last);
  if (formula) return [...document.blocks.slice(0, -1), formula];
  const { settled, blocks } = document;
  if (settled.open && blocks.length === settled.blocks + 1) {
    const rest = sourceOf(document.text).slice(settled.length + settled.open.raw.length);
    const tokens = readOn(settled.open, closeSpans(rest), {
      definitions: settled.definitions,
      reading: "shown",
      inner: INNER,
    });
    if (tokens) return [...blocks.slice(0, -1), ...tokens.filter(isShown)];
  }
  const closed = closeSpans(last.raw);
  if (closed === last.raw) return blocks;
  return [...blocks.slice(0, -1), ...lexAfter(settled.definitions, closed).filter(isShown)];
}

/** A listing without the last line while that is no more than the beginning of the fence that ends it. */
function withoutHalfFence(code: MarkdownToken): MarkdownToken {
  const text = (code as { readonly text: string }).text;
  const at = text.lastIndexOf("\n");
  return at >= 0 && /^ {0,3}(?:`+|~+)$/.test(text.slice(at + 1))
    ? { ...code, text: text.slice(0, at) } as MarkdownToken
    : code;
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
  if (!strong) return text.slice(0, at) + half;
  // Behind a blank the marks would close nothing, and be seen as they are.
  const words = half.trimEnd();
  return `${text.slice(0, at)}${words.endsWith("*") ? half : words}**`;
}
