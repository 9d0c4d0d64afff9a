/**
 * Text search over everything that was said (K-074).
 *
 * First the words as a phrase; where no message has that and there are several words, every message that has all of them,
 * which is the looser match. A word that is still being typed stands for all that begin so, after those that are it.
 *
 * The score of a hit is from 0 to 1: three quarters for a phrase of whole words, a half for one whose last word is begun, a
 * quarter for all terms with whole words, nothing for the rest; and up to a quarter more for being new, which halves every
 * 30 days. So the kind of match decides, and among equals the newer one comes first.
 *
 * Invariants
 * 1. A common word costs no more than a rare one: the newest `REACH` matches are looked at, and only where they fill too few
 *    conversations the newest `FAR_REACH` (bench/search_bench.ts).
 * 2. At most two hits of one conversation (tests/core/conversation/search_test.ts).
 * 3. What is deleted is not found, from the moment it is deleted (same file).
 *
 * @module
 */
import type { Database, Row } from "../storage/mod.ts";
import { allSource, phraseSource, type Source } from "./search_source.ts";
import { readWords, type SearchWords } from "./search_words.ts";
import { readSnippets } from "./snippet.ts";

/** A place where words were found. */
export interface SearchHit {
  readonly conversation: string;
  readonly title: string;
  readonly turn: string | null;
  /** Of the entry. */
  readonly seq: number;
  /** Plain text of one line, 200 characters at most where nothing else was asked for; what matched stands between U+E000 and U+E001. */
  readonly snippet: string;
  /** From 0 to 1; hits come in this order. */
  readonly score: number;
  readonly match: "phrase" | "all_terms";
}

export interface SearchOptions {
  /** Hits at most. Default 20. */
  readonly limit?: number;
  /** Characters of a snippet at most. Default 200. */
  readonly snippet?: number;
  readonly now: Date;
}

const REACH = 2_000;
const FAR_REACH = 50_000;
const PER_CONVERSATION = 2;
const HALVING_MS = 30 * 24 * 60 * 60 * 1000;

interface Found {
  readonly id: number;
  readonly row: Row;
  readonly score: number;
  readonly source: Source;
}

/** Finds what was said. Words that no index can hold (signs, pictographs) find nothing. */
export async function searchText(database: Database, typed: string, options: SearchOptions): Promise<SearchHit[]> {
  const search = readWords(typed);
  if (search.words.length === 0) return [];
  const { limit = 20, snippet, now } = options;
  const finder = new Finder(database, limit, now);
  await finder.look(search, phraseSource, 0.5);
  const match = finder.found.length > 0 ? "phrase" : "all_terms";
  if (match === "all_terms" && search.words.length > 1) await finder.look(search, allSource, 0);
  const found = finder.found.toSorted((a, b) => b.score - a.score || b.id - a.id);
  const snippets = await readSnippets(database, found, snippet);
  return found.map(({ id, row, score }) => ({
    conversation: String(row.conversation),
    title: String(row.title),
    turn: row.turn === null ? null : String(row.turn),
    seq: Number(row.seq),
    snippet: snippets.get(id) ?? "",
    score: Math.round(score * 1000) / 1000,
    match,
  }));
}

/** Collects hits, those of whole words first. */
class Finder {
  readonly found: Found[] = [];
  readonly #database: Database;
  readonly #limit: number;
  readonly #now: number;

  constructor(database: Database, limit: number, now: Date) {
    this.#database = database;
    this.#limit = limit;
    this.#now = now.getTime();
  }

  async look(search: SearchWords, sourceOf: (search: SearchWords) => Source, base: number): Promise<void> {
    await this.#collect(sourceOf({ ...search, isBegun: false }), base + 0.25);
    if (search.isBegun && this.found.length < this.#limit) await this.#collect(sourceOf(search), base);
  }

  async #collect(source: Source, base: number): Promise<void> {
    for (const row of await this.#rows(source)) {
      const id = Number(row.id);
      if (this.found.length >= this.#limit) return;
      if (this.found.some((each) => each.id === id)) continue;
      const own = this.found.filter((each) => each.row.conversation === row.conversation);
      if (own.length >= PER_CONVERSATION) continue;
      const age = Math.max(0, this.#now - Date.parse(String(row.at)));
      const score = base + (Number.isNaN(age) ? 0 : 0.25 * 2 ** (-age / HALVING_MS));
      this.found.push({ id, row, score, source });
    }
  }

  async #rows(source: Source): Promise<readonly Row[]> {
    const near = await this.#newest(source, REACH);
    const isEnough = near.rows.length >= this.#limit || near.looked < REACH;
    return (isEnough ? near : await this.#newest(source, FAR_REACH)).rows;
  }

  /** The newest matches, two of a conversation at most. `looked` is how many matches there were to choose from. */
  async #newest({ sql, args }: Source, reach: number): Promise<{ rows: readonly Row[]; looked: number }> {
    const rows = await this.#database.read(
      `with found as materialized (${sql} order by id desc limit ?)
       select id, conversation, turn, seq, at, title, looked
       from (select count(*) as looked from found) left join (
         select entries.id, entries.conversation, entries.turn, entries.seq, entries.at, conversations.title,
           row_number() over (partition by entries.conversation order by entries.id desc) as place
         from found cross join entries on entries.id = found.id
         cross join conversations on conversations.id = entries.conversation and conversations.deleted_at is null
       ) on place <= ${PER_CONVERSATION} order by id desc limit ?`,
      // One page more than is wanted: whole words found before may stand among them.
      [...args, reach, this.#limit * 2],
    );
    return { rows: rows.filter(({ id }) => id !== null), looked: Number(rows[0]?.looked ?? 0) };
  }
}
