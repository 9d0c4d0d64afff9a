/**
 * Mathematics in Markdown: `$…$`, `$$…$$`, `\(…\)`, `\[…\]`, as two extensions of the parser.
 *
 * Money is not mathematics: a `$` opens only before something that is not a space, closes only after something that is
 * not a space and not before a digit, and a number followed by plain words is left alone. Code is never looked into,
 * because the parser takes code before it comes here.
 *
 * @module
 */
import type { TokenizerAndRendererExtension, Tokens } from "marked";

/** A formula in the token tree. */
export interface MathToken extends Tokens.Generic {
  readonly type: "math";
  readonly raw: string;
  /** The TeX source without its marks. */
  readonly source: string;
  readonly display: boolean;
}

/** No formula is longer, in UTF-16 code units: a mark that never closes would be searched for to the end of the text. */
const LONGEST = 10_000;
const BLOCK_OPENS = /^ {0,3}(\$\$|\\\[)/;
const BLOCK_CLOSES: Readonly<Record<string, RegExp>> = {
  "$$": /\$\$[ \t]*(?:\n+|$)/,
  "\\[": /\\\][ \t]*(?:\n+|$)/,
};
const DISPLAY = /^(?:\$\$((?:(?!\n\n)[^$])+)\$\$|\\\[((?:(?!\n\n)[\s\S])+?)\\\])/;
const INLINE = /^(?:\$(?![\s$])((?:\\[^\n]|[^$\\\n]|\n(?!\n))*?[^\s\\$])\$(?!\d)|\\\(((?:(?!\n\n)[\s\S])+?)\\\))/;

/** `5, or 10`: begins with a number, holds a word, and nothing that only formulas have. */
function isMoney(source: string): boolean {
  return /^\d/.test(source) && /[a-z]{2}/i.test(source) && !/[\\^_={}]/.test(source);
}

function token(raw: string, source: string, display: boolean): MathToken | undefined {
  const trimmed = source.trim();
  return trimmed === "" ? undefined : { type: "math", raw, source: trimmed, display };
}

/** The formula that `src` begins with, on lines of its own. */
function blockAt(src: string): MathToken | undefined {
  const opens = BLOCK_OPENS.exec(src);
  if (!opens) return;
  const from = opens[0].length;
  const near = src.slice(from + 1, from + 1 + LONGEST);
  const closes = BLOCK_CLOSES[opens[1]!]!.exec(near);
  if (!closes) return;
  const [end] = closes;
  const until = from + 1 + closes.index;
  const isLineEnd = end.endsWith("\n") || until + end.length === src.length;
  if (isLineEnd) return token(src.slice(0, until) + end, src.slice(from, until), true);
}

/**
 * Where the next block begins. What is looked through begins inside a paragraph, so only a new line can begin one; a mark
 * that never closes does not cut the paragraph, which the parser would then look through anew for each of them.
 */
function nextBlock(src: string): number | undefined {
  for (const { index } of src.matchAll(/\n {0,3}(?:\$\$|\\\[)/g)) if (blockAt(src.slice(index + 1))) return index;
}

export const mathBlock: TokenizerAndRendererExtension = {
  name: "math",
  level: "block",
  start: nextBlock,
  tokenizer: blockAt,
};

export const mathInline: TokenizerAndRendererExtension = {
  name: "math",
  level: "inline",
  start: (src) => {
    const at = src.search(/\$|\\[([]/);
    return at < 0 ? undefined : at;
  },
  tokenizer: (src) => {
    const display = DISPLAY.exec(src);
    if (display) return token(display[0], display[1] ?? display[2] ?? "", true);
    const inline = INLINE.exec(src);
    if (!inline || (inline[1] !== undefined && isMoney(inline[1]))) return;
    return token(inline[0], inline[1] ?? inline[2] ?? "", false);
  },
};
