/**
 * What a bench measures, and how its line is made.
 *
 * @module
 */

/** One figure. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: "ms" | "MB" | "kB" | "tokens/s";
  /** What it should be; `null` where nothing was promised. */
  readonly aim: number | null;
  /** Whether a smaller value is the better one. Default true. */
  readonly smallerIsBetter?: boolean;
  readonly note?: string;
}

/** A file `<name>_bench.ts` exports one of these as `bench`. */
export interface Bench {
  /** What is measured, in a line. */
  readonly about: string;
  measure(): Promise<readonly Figure[]>;
}

/** The line of a figure. `ratio` is above 1 where the aim is missed; `load` is the machine's, over 1, 5 and 15 minutes. */
export function figureLine(figure: Figure, load: readonly number[]): string {
  const { name, value, unit, aim, smallerIsBetter = true, note } = figure;
  const ratio = aim === null ? undefined : smallerIsBetter ? value / aim : aim / value;
  return JSON.stringify({
    name,
    value: rounded(value),
    unit,
    aim,
    ratio: ratio === undefined ? undefined : rounded(ratio),
    load: load.map((each) => Math.round(each * 100) / 100),
    note,
  });
}

/** The middle value. Throws on none: a bench that measured nothing has no figure. */
export function median(values: readonly number[]): number {
  if (values.length === 0) throw new RangeError("Nothing was measured");
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** `median 3.1, fastest 2.4, slowest 9.0 of 30`, for a note. */
export function spread(values: readonly number[]): string {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  return `fastest ${rounded(least)}, slowest ${rounded(most)} of ${values.length}`;
}

/** Three digits that count. */
function rounded(value: number): number {
  return Number(value.toPrecision(3));
}
