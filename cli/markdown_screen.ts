/**
 * An answer's Markdown as terminal text, set while it streams: a word is printed as soon as nothing after it can change
 * how it looks, a table as soon as it is whole. What a terminal cannot set (formulas, pictures) is printed as it was written.
 *
 * The terminal breaks lines itself: we print no spaces to fill them, so copied text is what was said.
 *
 * Invariants (tests/cli/markdown_screen_test.ts)
 * 1. The text that comes out is the same however the text that came in was cut.
 * 2. No word of it is lost: without styles, marks and white space, out is in.
 * 3. Unclosed marks end with their line: nothing after it is set as they say.
 *
 * @module
 */
import type { Style } from "./style.ts";
import { tableLines } from "./table_text.ts";

type Mode = "text" | "listing" | "table";

/** How the words of a line are set, beside what their marks say. */
interface LineSetting {
  readonly isHeading: boolean;
}

const FENCE = /^ {0,3}(`{3,}|~{3,})[ \t]*([^`\n]*)$/;
const HEADING = /^ {0,3}#{1,6}[ \t]+/;
const QUOTE = /^ {0,3}>[ \t]?/;
const BULLET = /^([ \t]*)[-*+][ \t]+/;
const NUMBER = /^([ \t]*)(\d{1,9}[.)])[ \t]+/;
const RULE = /^ {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$/;
/** Enough of a line to know what kind it is: white space, marks, white space, and then a word has begun. */
const KNOWN = /^[ \t]*(?:(?:[-*+>]|#{1,6}|\d{1,9}[.)])[ \t]+)*[^\s#>*+\-_`~|\d]/;

export class MarkdownScreen {
  readonly #style: Style;
  #mode: Mode = "text";
  /** The line that is being written, without what was printed of it. */
  #rest = "";
  /** Set once the beginning of the line was printed. */
  #setting: LineSetting | null = null;
  #marks: Marks = NO_MARKS;
  #fence = "";
  #table: string[] = [];

  constructor(style: Style) {
    this.#style = style;
  }

  /** Takes the next piece of the answer; gives what can be printed. It must hold no control characters but line ends. */
  push(piece: string): string {
    let out = "";
    const lines = (this.#rest + piece).split("\n");
    this.#rest = lines.pop()!;
    for (const line of lines) out += this.#line(line);
    return out + this.#begun();
  }

  /** Gives what is left when the answer is over. */
  end(): string {
    const rest = this.#rest === "" && this.#setting === null ? "" : this.#line(this.#rest).replace(/\n$/, "");
    this.#rest = "";
    return rest + this.#endTable();
  }

  /** A whole line, or what was not printed of it. */
  #line(line: string): string {
    if (this.#setting) {
      const out = `${this.#words(line, true)}\n`;
      this.#setting = null;
      return out;
    }
    const fence = FENCE.exec(line);
    if (this.#mode === "listing") {
      const isEnd = fence && fence[1]!.startsWith(this.#fence) && fence[2]!.trim() === "";
      if (!isEnd) return `    ${line}\n`;
      this.#mode = "text";
      return "";
    }
    if (isRow(line)) {
      this.#mode = "table";
      this.#table.push(line);
      return "";
    }
    const before = this.#endTable();
    if (fence) {
      this.#mode = "listing";
      this.#fence = fence[1]!;
      const language = fence[2]!.trim();
      return before + (language === "" ? "" : `    ${this.#style.dim(language)}\n`);
    }
    if (RULE.test(line)) return `${before}${this.#style.dim("─".repeat(20))}\n`;
    const [start, rest] = this.#start(line);
    const out = `${before}${start}${this.#words(rest, true)}\n`;
    this.#setting = null;
    return out;
  }

  /** What can be printed of a line that is not whole: all but its last word, once it is known what kind of line it is. */
  #begun(): string {
    if (this.#mode === "listing") return "";
    let out = "";
    if (!this.#setting) {
      if (!KNOWN.test(this.#rest) || /^[ \t]*\|/.test(this.#rest)) return "";
      const [start, rest] = this.#start(this.#rest);
      out = this.#endTable() + start;
      this.#rest = rest;
    }
    const upto = this.#rest.lastIndexOf(" ");
    if (upto <= 0) return out;
    const words = this.#rest.slice(0, upto);
    this.#rest = this.#rest.slice(upto);
    return out + this.#words(words, false);
  }

  /** The beginning of a line as it is printed, and the words after it. Sets how these are set. */
  #start(line: string): [start: string, rest: string] {
    const { dim } = this.#style;
    let rest = line;
    let start = "";
    for (let quote = QUOTE.exec(rest); quote; quote = QUOTE.exec(rest)) {
      start += dim("│ ");
      rest = rest.slice(quote[0].length);
    }
    const heading = HEADING.exec(rest);
    this.#setting = { isHeading: heading !== null };
    this.#marks = NO_MARKS;
    if (heading) return [start, rest.slice(heading[0].length)];
    const bullet = BULLET.exec(rest);
    if (bullet) return [`${start}${bullet[1]}• `, rest.slice(bullet[0].length)];
    const number = NUMBER.exec(rest);
    if (number) return [`${start}${number[1]}${number[2]} `, rest.slice(number[0].length)];
    return [start, rest];
  }

  #words(text: string, isEnd: boolean): string {
    const { runs, marks } = readMarks(text, this.#marks);
    this.#marks = isEnd ? NO_MARKS : marks;
    const { bold, italic, code } = this.#style;
    const isHeading = this.#setting?.isHeading ?? false;
    return runs.map((run) => {
      let set = run.text;
      if (run.code) set = code(set);
      if (run.italic) set = italic(set);
      if (run.bold || isHeading) set = bold(set);
      return set;
    }).join("");
  }

  #endTable(): string {
    const rows = this.#table;
    if (rows.length === 0) return "";
    this.#table = [];
    this.#mode = "text";
    return `${tableLines(rows, this.#style).join("\n")}\n`;
  }
}

function isRow(line: string): boolean {
  return /^[ \t]*\|.*\|[ \t]*$/.test(line);
}

/** Which marks are open. `code` is the run of backticks that closes it. */
interface Marks {
  readonly bold: boolean;
  readonly italic: boolean;
  readonly code: string;
}

interface Run extends Omit<Marks, "code"> {
  readonly text: string;
  readonly code: boolean;
}

const NO_MARKS: Marks = { bold: false, italic: false, code: "" };

/**
 * Words and their marks, from left to right. A mark opens before a word and closes after one; anywhere else it is a letter.
 * Pieces of a line are cut before blanks only, so each mark is seen with the letters it touches.
 */
function readMarks(text: string, open: Marks): { readonly runs: readonly Run[]; readonly marks: Marks } {
  const runs: Run[] = [];
  let marks = open;
  let words = "";
  const turnTo = (next: Marks) => {
    if (words !== "") runs.push({ text: words, bold: marks.bold, italic: marks.italic, code: marks.code !== "" });
    words = "";
    marks = next;
  };
  for (const { 0: token, index } of text.matchAll(/\\[!-/:-@[-`{-~]|`+|\*+|_+|[^\\`*_]+|\\/g)) {
    const mark = token[0]!;
    if (marks.code !== "") {
      if (token === marks.code) turnTo({ ...marks, code: "" });
      else words += token;
    } else if (mark === "`") turnTo({ ...marks, code: token });
    else if (mark === "\\" && token.length === 2) words += token[1];
    else if (mark === "*" || mark === "_") {
      const next = emphasis(marks, token.length, text[index - 1] ?? " ", text[index + token.length] ?? " ");
      if (next) turnTo(next);
      else words += token;
    } else words += token;
  }
  turnTo(marks);
  return { runs, marks };
}

/** The marks after one or more asterisks or underscores; `null` where they are letters. */
function emphasis(marks: Marks, length: number, before: string, after: string): Marks | null {
  if (length > 3) return null;
  const bold = length !== 1;
  const italic = length !== 2;
  const isOpen = (!bold || marks.bold) && (!italic || marks.italic);
  const isClosed = (!bold || !marks.bold) && (!italic || !marks.italic);
  if (isOpen && !/\s/.test(before) && !LETTER.test(after)) {
    return { ...marks, bold: marks.bold && !bold, italic: marks.italic && !italic };
  }
  if (isClosed && !/\s/.test(after) && !LETTER.test(before)) {
    return { ...marks, bold: marks.bold || bold, italic: marks.italic || italic };
  }
  return null;
}

const LETTER = /[\p{L}\p{N}]/u;
