/**
 * What a Markdown text leaves open at its end: a fence, a comment, a `<pre>`. Whoever sets one text after another closes it
 * first, or everything that follows would be swallowed.
 *
 * Only what stands at the outermost level matters: a list item or a quotation ends by itself where the next block begins
 * at the margin, and whatever is open inside it ends with it. To know where those end, the block structure is read as
 * CommonMark 0.31 reads it; inline content is not looked at.
 *
 * Invariant: `text + closing(text)`, a blank line and a heading read as whatever the text is and then that heading
 * (tests/core/log/folds/markdown_open_test.ts, on every beginning of every CommonMark example and on arbitrary text).
 *
 * @module
 */

/** What has to follow `text` so that nothing is open; it begins with a line break, or is `""`. */
export function closing(text: string): string {
  const blocks = new Blocks();
  for (const line of text.split(/\r\n|\n|\r/)) blocks.take(untabbed(line));
  const end = blocks.closing();
  return end === null ? "" : `\n${end}`;
}

/** A raw block that goes on until something says so: how to tell, and what to write for it. */
interface Raw {
  readonly ends: RegExp;
  readonly end: string;
}

/** The kinds of HTML block that a blank line does not end. */
const UNTIL_SAID: readonly { readonly begins: RegExp; readonly ends: RegExp; readonly end: string }[] = [
  ...["script", "pre", "style", "textarea"].map((name) => ({
    begins: new RegExp(`^<${name}(?:[\\s>]|$)`, "i"),
    ends: /<\/(?:script|pre|style|textarea)>/i,
    end: `</${name}>`,
  })),
  { begins: /^<!--/, ends: /-->/, end: "-->" },
  { begins: /^<\?/, ends: /\?>/, end: "?>" },
  { begins: /^<![a-z]/i, ends: />/, end: ">" },
  { begins: /^<!\[CDATA\[/, ends: /\]\]>/, end: "]]>" },
];

const ELEMENTS =
  "address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir" +
  "|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link" +
  "|main|menu|menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead" +
  "|title|tr|track|ul";
const ELEMENT = new RegExp(`^</?(?:${ELEMENTS})(?:\\s|/?>|$)`, "i");

const ATTRIBUTE = String.raw`\s+[a-z_:][\w.:-]*(?:\s*=\s*(?:[^\s"'=<>\x60]+|'[^']*'|"[^"]*"))?`;
/** A whole tag alone on its line; unlike the others it does not interrupt a paragraph. */
const ALONE = new RegExp(String.raw`^(?:<[a-z][a-z\d-]*(?:${ATTRIBUTE})*\s*/?>|</[a-z][a-z\d-]*\s*>)\s*$`, "i");

const FENCE = /^(?:(`{3,})[^`]*|(~{3,}).*)$/;
const RULE = /^(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$/;
const HEADING = /^#{1,6}(?:[ \t]|$)/;
const UNDERLINE = /^(?:=+|-+)[ \t]*$/;
const ITEM = /^(?:[-+*]|(\d{1,9})[.)])(?= |$)/;

/** Containers inside each other that are told apart; what is deeper is taken for words. */
const DEEPEST = 100;

interface Inner {
  readonly kind: "quote" | "item";
  /** Where the content of a list item begins. */
  readonly width: number;
  readonly blocks: Blocks;
}

/** The blocks at one level: of the text, of a quotation, or of a list item. */
class Blocks {
  #raw: Raw | null = null;
  #inner: Inner | null = null;
  /** An HTML block that a blank line ends. */
  #untilBlank = false;
  #paragraph = false;
  #empty = true;
  readonly #depth: number;

  constructor(depth = 0) {
    this.#depth = depth;
  }

  /** Whether a line of plain words would go on with a paragraph here or further inside. */
  get hasParagraph(): boolean {
    return this.#inner ? this.#inner.blocks.hasParagraph : this.#paragraph;
  }

  /** Whether nothing has been in it but blank lines. */
  get isEmpty(): boolean {
    return this.#empty;
  }

  closing(): string | null {
    return this.#raw?.end ?? null;
  }

  take(line: string): void {
    if (this.#raw) {
      if (this.#raw.ends.test(line)) this.#raw = null;
      return;
    }
    if (this.#inner && this.#takenInside(this.#inner, line)) return;
    const indent = line.search(/[^ ]|$/);
    if (indent === line.length) {
      this.#paragraph = this.#untilBlank = false;
      return;
    }
    this.#empty = false;
    if (this.#untilBlank || indent >= 4) return;
    if (!this.#begin(line.slice(indent), indent)) this.#paragraph = true;
  }

  /** Hands the line to what is open inside, which goes away when the line is not for it. */
  #takenInside(inner: Inner, line: string): boolean {
    const indent = line.search(/[^ ]|$/);
    const blank = indent === line.length;
    if (inner.kind === "quote" ? indent < 4 && line[indent] === ">" : !blank && indent >= inner.width) {
      inner.blocks.take(inner.kind === "quote" ? line.slice(indent).replace(/^> ?/, "") : line.slice(inner.width));
      return true;
    }
    if (inner.kind === "item" && blank && !inner.blocks.isEmpty) {
      inner.blocks.take("");
      return true;
    }
    if (!blank && inner.blocks.hasParagraph && (indent >= 4 || !beginsBlock(line.slice(indent)))) return true;
    this.#inner = null;
    return false;
  }

  /** Begins the block that the line opens; `false` when it is words of a paragraph. */
  #begin(line: string, indent: number): boolean {
    if (this.#depth === DEEPEST) return false;
    const interrupted = this.#paragraph;
    if (interrupted && UNDERLINE.test(line) || HEADING.test(line)) {
      this.#paragraph = false;
      return true;
    }
    const raw = rawAt(line);
    if (raw) this.#raw = raw.ends.test(line) && !FENCE.test(line) ? null : raw;
    else if (ELEMENT.test(line) || !interrupted && ALONE.test(line)) this.#untilBlank = true;
    else if (line.startsWith(">")) {
      this.#enter({ kind: "quote", width: 0, blocks: new Blocks(this.#depth + 1) }, line.replace(/^> ?/, ""));
    } else if (!RULE.test(line)) {
      const marker = ITEM.exec(line);
      if (!marker) return false;
      const content = line.slice(marker[0].length);
      // Only what cannot be meant as words of the paragraph interrupts it.
      if (interrupted && (content.trim() === "" || (marker[1] ?? "1") !== "1" && Number(marker[1]) !== 1)) return false;
      const spaces = content.search(/[^ ]|$/);
      const gap = spaces === content.length || spaces > 4 ? 1 : spaces;
      this.#enter(
        { kind: "item", width: indent + marker[0].length + gap, blocks: new Blocks(this.#depth + 1) },
        content.slice(gap),
      );
    }
    this.#paragraph = false;
    return true;
  }

  #enter(inner: Inner, line: string): void {
    this.#inner = inner;
    inner.blocks.take(line);
  }
}

function rawAt(line: string): Raw | null {
  const fence = FENCE.exec(line);
  if (fence) {
    const mark = fence[1] ?? fence[2]!;
    return { ends: new RegExp(`^ {0,3}${mark[0]}{${mark.length},}[ \\t]*$`), end: mark };
  }
  const html = UNTIL_SAID.find(({ begins }) => begins.test(line));
  return html ?? null;
}

/** Whether a line begins a block of its own where it would otherwise go on with a paragraph further inside. */
function beginsBlock(line: string): boolean {
  return line.startsWith(">") || HEADING.test(line) || RULE.test(line) || ITEM.test(line) || ELEMENT.test(line) ||
    rawAt(line) !== null;
}

/** Tabs at the beginning as the spaces they stand for, also after a quotation's or a list's marks. */
function untabbed(line: string): string {
  if (!line.includes("\t")) return line;
  let column = 0;
  let made = "";
  for (const mark of line) {
    const width = mark === "\t" ? 4 - column % 4 : 1;
    made += mark === "\t" ? " ".repeat(width) : mark;
    column += width;
  }
  return made;
}
