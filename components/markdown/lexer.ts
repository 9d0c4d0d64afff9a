/**
 * The parser, bounded: any text at all is read, soon, and each block of it by itself.
 *
 * Invariants (tests/components/markdown/lexer_test.ts pins each)
 * 1. A text that is nested past what the parser's stack holds, or that would keep it busy for seconds, is one listing of
 *    its source, and a paragraph past 10,000 characters is plain text.
 * 2. What stands in one block changes no other, but for the definitions of links: a tag that is never closed ends with its
 *    block.
 *
 * @module
 */
import { Lexer, Marked, type Token, type TokensList } from "marked";
import { mathBlock, mathInline, type MathToken } from "./math.ts";

/** A block or a span as the parser gives it. */
export type MarkdownToken = Token | MathToken;

const parser = new Marked({ gfm: true, extensions: [mathBlock, mathInline] });

/** A longer text, in UTF-16 code units, is not looked into at all: three hundred pages. */
const LONGEST_TEXT = 500_000;
/** The spans of a longer paragraph are not looked for: finding them may take the square of its length. */
export const LONGEST_PARAGRAPH = 10_000;

class BoundedLexer extends Lexer {
  override lex(source: string): TokensList {
    this.blockTokens(source, this.tokens);
    for (const { src, tokens } of this.inlineQueue) {
      this.state.inLink = false;
      this.state.inRawBlock = false;
      this.inlineTokens(src, tokens);
    }
    this.inlineQueue = [];
    return this.tokens;
  }

  override inlineTokens(source: string, tokens: Token[] = []): Token[] {
    if (source.length <= LONGEST_PARAGRAPH) return super.inlineTokens(source, tokens);
    tokens.push({ type: "text", raw: source, text: source });
    return tokens;
  }
}

/** The blocks of a text whose lines end in line feeds, spaces and definitions among them. */
export function lex(text: string): MarkdownToken[] {
  if (isUnreadable(text)) return asListing(text);
  try {
    return new BoundedLexer(parser.defaults).lex(text) as MarkdownToken[];
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return asListing(text);
  }
}

/** The blocks of `tail`, parsed with link definitions that stand somewhere before it. */
export function lexAfter(definitions: string, tail: string): MarkdownToken[] {
  if (definitions === "") return lex(tail);
  let length = 0;
  return lex(definitions + tail).filter((block) => (length += block.raw.length) > definitions.length);
}

/** Whether a text is shown as a listing of its source because it is not for the parser. */
export function isUnreadable(text: string): boolean {
  return text.length > LONGEST_TEXT || isNestedTooDeep(text) || isSlowToParse(text);
}

/** Whether a block draws anything. */
export function isShown(token: MarkdownToken): boolean {
  return token.type !== "space" && token.type !== "def";
}

/** A text with line feeds only, as the parser wants it. */
export function withLineFeeds(text: string): string {
  return text.includes("\r") ? text.replace(/\r\n?/g, "\n") : text;
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
