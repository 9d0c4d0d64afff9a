/**
 * The words around a match, with marks around what matched.
 *
 * @module
 */
import type { Database } from "../storage/mod.ts";
import type { Place, Source } from "./search_source.ts";
import { MARK, withoutMarks } from "./search_words.ts";

/** Characters of a snippet, marks aside, when nothing else is asked for. */
export const SNIPPET_LENGTH = 200;

/** Of these, how many stand before the first match. */
const SHARE_BEFORE = 0.3;

/** Snippets of entries by their ids. What matches is read from the index that found it, so both agree on what a word is. */
export async function readSnippets(
  database: Database,
  found: readonly { readonly id: number; readonly source: Source }[],
  length: number = SNIPPET_LENGTH,
): Promise<ReadonlyMap<number, string>> {
  const groups = Map.groupBy(found, ({ source }) => source);
  const all = await Promise.all([...groups].map(([{ place }, group]) => {
    return snippetsOf(database, place, group.map(({ id }) => id), length);
  }));
  return new Map(all.flat());
}

async function snippetsOf(
  database: Database,
  place: Place,
  ids: readonly number[],
  length: number,
): Promise<readonly (readonly [number, string])[]> {
  if (place.kind === "literal") {
    const rows = await database.read(
      `select id, instr(lower(text), lower(?1)) as at, substr(text, max(1, instr(lower(text), lower(?1)) - 100), 400) as text
       from (select rowid as id, text from entry_text where rowid in (select value from json_each(?2)))`,
      [place.text, JSON.stringify(ids)],
    );
    return rows.map(({ id, text, at }) => {
      const cut = Number(at) > 101 ? "…" : "";
      return [Number(id), tidy(cut + markLiteral(withoutMarks(String(text)), place.text), length)];
    });
  }
  const { index, match } = place;
  // Any text may hold any character, so what the index puts around a match has to be made up anew each time.
  const secret = crypto.randomUUID();
  const rows = await database.read(
    // The plus keeps SQLite from asking the index anew for each id.
    `select rowid as id, snippet(${index}, 0, ?, ?, '…', ${
      index === "entry_grams" || length > SNIPPET_LENGTH ? 64 : 32
    }) as text from ${index}
     where ${index} match ? and rowid between ? and ? and +rowid in (select value from json_each(?))
     order by rowid desc`,
    [`<${secret}`, `${secret}>`, match, Math.min(...ids), Math.max(...ids), JSON.stringify(ids)],
  );
  return rows.map(({ id, text }) => {
    const marked = withoutMarks(String(text)).replaceAll(`<${secret}`, MARK.open).replaceAll(`${secret}>`, MARK.close);
    return [Number(id), tidy(marked, length)];
  });
}

function markLiteral(text: string, sought: string): string {
  const at = text.toLowerCase().indexOf(sought.toLowerCase());
  // Where lower case has another length the place cannot be told.
  if (at < 0 || text.slice(at, at + sought.length).toLowerCase() !== sought.toLowerCase()) return text;
  const end = at + sought.length;
  return text.slice(0, at) + MARK.open + text.slice(at, end) + MARK.close + text.slice(end);
}

/** One line of at most `most` characters around the first match, every mark with its partner. */
export function tidy(marked: string, most: number = SNIPPET_LENGTH): string {
  const characters = Array.from(marked.replace(/\s+/gu, " ").trim());
  const isMark = (character: string) => character === MARK.open || character === MARK.close;
  const length = characters.filter((each) => !isMark(each)).length;
  if (length <= most) return characters.join("");
  const first = Math.max(0, characters.indexOf(MARK.open));
  const start = Math.max(0, Math.min(first - Math.floor(most * SHARE_BEFORE), length - most + 2));
  const kept: string[] = start > 0 ? ["…"] : [];
  let left = most - 2;
  let isOpen = false;
  let at = start;
  for (; at < characters.length && left > 0; at++) {
    const character = characters[at]!;
    kept.push(character);
    if (isMark(character)) isOpen = character === MARK.open;
    else left--;
  }
  if (isOpen) kept.push(MARK.close);
  if (at < characters.length && characters.slice(at).some((each) => !isMark(each))) kept.push("…");
  return kept.join("");
}
