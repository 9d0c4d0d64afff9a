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

const BLOCK = /^ {0,3}(?:\$\$([\s\S]+?)\$\$|\\\[([\s\S]+?)\\\])[ \t]*(?:\n+|$)/;
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

export const mathBlock: TokenizerAndRendererExtension = {
  name: "math",
  level: "block",
  start: (src) => src.match(/(?:^|\n) {0,3}(?:\$\$|\\\[)/)?.index,
  tokenizer: (src) => {
    const match = BLOCK.exec(src);
    if (match) return token(match[0], match[1] ?? match[2] ?? "", true);
  },
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
