/**
 * A Markdown table as lines of text whose columns stand below each other.
 *
 * @module
 */
import type { Style } from "./style.ts";

const SEPARATOR = /^:?-+:?$/;

/** The lines of a table, as it was written in `rows`. One without a line of dashes below its head is printed as it is. */
export function tableLines(rows: readonly string[], style: Style): readonly string[] {
  const cells = rows.map(cellsOf);
  const [head, dashes] = cells;
  if (!head || !dashes?.every((cell) => SEPARATOR.test(cell))) return rows;
  const body = [head, ...cells.slice(2)];
  const columns = Math.max(...body.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, at) => Math.max(...body.map((row) => widthOf(row[at] ?? ""))));
  const isRight = widths.map((_, at) => /^-+:$/.test(dashes[at] ?? ""));
  const line = (row: readonly string[]) =>
    widths.map((width, at) => {
      const cell = row[at] ?? "";
      const blank = " ".repeat(width - widthOf(cell));
      return isRight[at] ? blank + cell : cell + blank;
    }).join("  ").trimEnd();
  const rule = style.dim(widths.map((width) => "─".repeat(Math.max(1, width))).join("  "));
  return [style.bold(line(head)), rule, ...cells.slice(2).map(line)];
}

function cellsOf(row: string): readonly string[] {
  const inside = row.trim().replace(/^\|/, "").replace(/\|$/, "");
  return inside.split(/(?<!\\)\|/).map((cell) => plain(cell.trim().replaceAll("\\|", "|")));
}

/** Without the marks of emphasis and code: their width is not the width of what is seen. */
function plain(cell: string): string {
  return cell.replace(/(\*\*|`)(.+?)\1/g, "$2");
}

/** Columns a text takes in a terminal: two for a wide character, none for one that joins the one before. */
export function widthOf(text: string): number {
  let width = 0;
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    width += WIDE.test(segment) ? 2 : /^\p{M}+$/u.test(segment) ? 0 : 1;
  }
  return width;
}

const WIDE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\u3000-\u303f\uff01-\uff60]/u;
