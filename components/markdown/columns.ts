/**
 * How the columns of a table stand. A column of figures stands at the right also when nobody said so.
 *
 * @module
 */
import type { Tokens } from "marked";

type Kind = "num" | "mid" | undefined;
type Row = Tokens.Table["rows"][number];

const FIGURE = /^[-+−~≈]?[$€£¥]?\s?\d[\d.,\u202f ]*\s?[%°a-zA-Z]{0,3}$/;
/** The last rows of a table that grows may still be read anew. */
const UNSETTLED = 2;

/** What has been seen of a column: no text yet, figures alone, or something else. */
type Seen = "nothing" | "figures" | "words";

/** Remembers what it has seen of a table that grows, so that a row costs a row. */
export class Columns {
  #seen: readonly Seen[] = [];
  #rows = 0;
  #last: Row | undefined;

  /** The kind of each column of a table, which may be a longer one than the last time. */
  kinds({ header, align, rows }: Tokens.Table): readonly Kind[] {
    const goesOn = this.#rows > 0 && rows[this.#rows - 1] === this.#last && this.#seen.length === header.length;
    if (!goesOn) {
      this.#rows = 0;
      this.#seen = header.map(() => "nothing");
    }
    const settled = Math.max(this.#rows, rows.length - UNSETTLED);
    this.#seen = look(this.#seen, rows.slice(this.#rows, settled));
    this.#rows = settled;
    this.#last = rows[settled - 1];
    const all = look(this.#seen, rows.slice(settled));
    return all.map((seen, column) => kindOf(align[column], seen));
  }
}

function look(seen: readonly Seen[], rows: readonly Row[]): readonly Seen[] {
  return rows.reduce((columns, row) =>
    columns.map((held, column) => {
      const text = row[column]?.text.trim() ?? "";
      if (held === "words" || text === "") return held;
      return FIGURE.test(text) ? "figures" : "words";
    }), seen);
}

function kindOf(align: Tokens.Table["align"][number] | undefined, seen: Seen): Kind {
  switch (align) {
    case "right":
      return "num";
    case "center":
      return "mid";
    case "left":
      return undefined;
    default:
      return seen === "figures" ? "num" : undefined;
  }
}

/** A table of more rows has columns of set widths: to fit them to every cell costs all rows again with each new one. */
export const LONG_TABLE = 60;
/** No column counts for less or more than this many characters. */
const NARROWEST = 4;
const WIDEST = 40;

/**
 * The widths of the columns of a long table, in percent, from what its first rows hold; `null` for a short one, whose
 * columns fit themselves. The same however much of the table is there.
 */
export function columnWidths({ header, rows }: Tokens.Table): readonly number[] | null {
  if (rows.length <= LONG_TABLE) return null;
  const first = rows.slice(0, LONG_TABLE);
  const lengths = header.map(({ text }, column) => {
    const longest = first.reduce((most, row) => Math.max(most, row[column]?.text.length ?? 0), text.length);
    return Math.min(Math.max(longest, NARROWEST), WIDEST);
  });
  const all = lengths.reduce((sum, length) => sum + length, 0);
  return lengths.map((length) => Math.round(1000 * length / all) / 10);
}
