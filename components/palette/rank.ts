/**
 * Which of many lines fit what was typed, the best first, and where in them the words stand. Pure.
 *
 * Invariants (tests/components/palette/rank_test.ts pins each)
 * 1. Every word must stand in the line, in any order; capitals and accents do not matter.
 * 2. The marks are places in the line as it is written, ascending, apart from each other.
 * 3. Lines that fit equally well keep their order.
 *
 * @module
 */

/** A line that fits; `marks` are `[from, to)` in UTF-16 code units. */
export interface Ranked<T> {
  readonly item: T;
  readonly marks: readonly (readonly [from: number, to: number])[];
}

/** How well a word fits by where it stands. */
const FIT = { whole: 8, start: 4, word: 3, inside: 1 } as const;

/** The best `limit` of the items whose line holds every word. No words: the first ones, without marks. */
export function rank<T>(items: readonly T[], words: string, lineOf: (item: T) => string, limit: number): Ranked<T>[] {
  const sought = fold(words).text.split(/\s+/).filter((word) => word !== "");
  if (sought.length === 0) return items.slice(0, limit).map((item) => ({ item, marks: [] }));
  const fits = items.flatMap((item) => {
    const found = fit(lineOf(item), sought);
    return found ? [{ item, ...found }] : [];
  });
  return fits.toSorted((a, b) => b.score - a.score).slice(0, limit).map(({ item, marks }) => ({ item, marks }));
}

function fit(line: string, words: readonly string[]): { score: number; marks: Ranked<unknown>["marks"] } | null {
  const { text, at } = fold(line);
  const phrase = words.join(" ");
  let score = text === phrase ? FIT.whole : 0;
  if (words.length > 1 && text.includes(phrase)) score += FIT.start;
  const marks: [number, number][] = [];
  for (const word of words) {
    const place = placeOf(text, word);
    if (place < 0) return null;
    score += place === 0 ? FIT.start : isWordStart(text, place) ? FIT.word : FIT.inside;
    marks.push([at[place]!, at[place + word.length]!]);
  }
  return { score, marks: join(marks) };
}

/** Where a word stands: at the start of one of the line's words rather than inside one. */
function placeOf(text: string, word: string): number {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) if (isWordStart(text, at)) return at;
  return text.indexOf(word);
}

function isWordStart(text: string, at: number): boolean {
  return at === 0 || !/[\p{L}\p{N}]/u.test(text[at - 1]!);
}

/** In small letters without accents; `at[n]` is where the text's unit `n` stands in the original. */
function fold(line: string): { text: string; at: readonly number[] } {
  let text = "";
  const at: number[] = [];
  let from = 0;
  for (const letter of line) {
    const plain = letter.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
    for (let unit = 0; unit < plain.length; unit++) at.push(from);
    text += plain;
    from += letter.length;
  }
  at.push(from);
  return { text, at };
}

function join(marks: [number, number][]): [number, number][] {
  const joined: [number, number][] = [];
  for (const [from, to] of marks.sort(([a], [b]) => a - b)) {
    const last = joined.at(-1);
    if (last && from <= last[1]) last[1] = Math.max(last[1], to);
    else joined.push([from, to]);
  }
  return joined;
}

/** A piece of a line: what was sought, or what stands around it. */
export interface Piece {
  readonly text: string;
  readonly hit: boolean;
}

/** The line cut at its marks. */
export function pieces(line: string, marks: Ranked<unknown>["marks"]): readonly Piece[] {
  const cut: Piece[] = [];
  let from = 0;
  for (const [start, end] of marks) {
    cut.push({ text: line.slice(from, start), hit: false }, { text: line.slice(start, end), hit: true });
    from = end;
  }
  return [...cut, { text: line.slice(from), hit: false }].filter(({ text }) => text !== "");
}

/** A passage of the search cut where it says that something matched: between U+E000 and U+E001. */
export function passage(snippet: string): readonly Piece[] {
  return snippet.split("\ue000").flatMap((part, index) => {
    const end = part.indexOf("\ue001");
    if (index === 0 || end < 0) return [{ text: part.replaceAll("\ue001", ""), hit: false }];
    return [{ text: part.slice(0, end), hit: true }, {
      text: part.slice(end + 1).replaceAll("\ue001", ""),
      hit: false,
    }];
  }).filter(({ text }) => text !== "");
}

/** How much may stand before the first mark, so that it is seen on a narrow line, in characters. */
const LEAD = 24;

/** The same passage, begun near the first place that matched. */
export function nearMatch(passage: readonly Piece[]): readonly Piece[] {
  const [first, ...rest] = passage;
  if (!first || first.hit || rest.length === 0 || first.text.length <= LEAD) return passage;
  const end = first.text.slice(-LEAD);
  return [{ text: `…${end.slice(end.indexOf(" ") + 1)}`, hit: false }, ...rest];
}
