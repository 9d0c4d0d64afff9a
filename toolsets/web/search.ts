/**
 * Searching the web with the service that a person chose: SearXNG, or one that speaks as Brave Search does.
 *
 * Invariant: a search that cannot work says what a person has to set; it never looks like one that found nothing
 * (tests/toolsets/web/search_test.ts).
 *
 * @module
 */
import { z } from "malama";
import type { Egress, Lookup } from "../../core/egress/mod.ts";
import { jsonOf, tryFetch } from "./answers.ts";
import { fence } from "../fence.ts";

export const RECENCIES = ["day", "week", "month", "year"] as const;
export const CATEGORIES = ["general", "news", "science", "it", "images", "videos", "files", "music", "map"] as const;

/** One search. */
export interface Query {
  readonly query: string;
  /** Most results that are given. */
  readonly n: number;
  readonly recency?: typeof RECENCIES[number] | undefined;
  readonly category?: typeof CATEGORIES[number] | undefined;
}

interface Hit {
  readonly title: string;
  readonly url: string;
  readonly text: string;
  readonly date?: string;
}

/** Searches. Throws the signal's reason. */
export async function searchWeb(
  egress: Egress,
  { search }: Lookup,
  query: Query,
  signal: AbortSignal,
): Promise<string> {
  const request = search.kind === "brave" ? askBrave(search, query) : askSearxng(search, query);
  if ("problem" in request) return request.problem;
  const fetched = await tryFetch(egress, request.url, {
    signal,
    headers: { accept: "application/json", ...request.headers },
    trusted: [new URL(search.url).origin],
  });
  if ("problem" in fetched) return search.isNamed ? `The search failed. ${fetched.problem} ${SET}` : NOT_SET;
  const { answer } = fetched;
  if (search.kind === "searxng" && answer.status === 403) return `The search failed. ${NO_JSON}`;
  if (search.kind === "brave" && [401, 403, 422].includes(answer.status)) return `The search failed. ${BAD_KEY}`;
  const read = jsonOf(answer);
  if ("problem" in read) return search.isNamed ? `The search failed. ${read.problem} ${SET}` : NOT_SET;
  const found = search.kind === "brave" ? hitsOfBrave(read.json) : hitsOfSearxng(read.json);
  if (found === null) return `The search failed. The answer is not the one that ${search.kind} gives. ${SET}`;
  const hits = found.filter(({ url }) => /^https?:/i.test(url)).slice(0, query.n);
  if (hits.length === 0) {
    return "The search found nothing: try other or fewer words, or leave out recency and category.";
  }
  return fence({
    source: search.url,
    content: hits.map(shown).join("\n\n"),
    before: [`${hits.length === 1 ? "1 result" : `${hits.length} results`}, the best first:`],
    after: ["get_web_content reads a page that is listed here."],
  });
}

const SET = "A person sets the search with search_url and search_kind under [lookup] in config.toml.";

const NOT_SET =
  "There is no search to ask: no SearXNG answers at http://localhost:8080. Tell the person that the search is set with " +
  "search_url under [lookup] in config.toml, or with SEARXNG_BASE_URL in the environment. Until then, wikipedia and " +
  "get_web_content with a known address may help.";

const NO_JSON = 'SearXNG does not give JSON: a person adds "json" to search.formats in its settings.yml.';

const BAD_KEY = "The search service does not take the key: a person sets MALAMA_SEARCH_KEY in the environment.";

interface SearchRequest {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
}

function askSearxng(search: Lookup["search"], { query, recency, category }: Query): SearchRequest {
  const asked = new URLSearchParams({ q: query, format: "json" });
  if (recency) asked.set("time_range", recency);
  if (category) asked.set("categories", category);
  return { url: `${search.url}/search?${asked}` };
}

const FRESHNESS = { day: "pd", week: "pw", month: "pm", year: "py" } as const;

function askBrave(
  search: Lookup["search"],
  { query, n, recency, category = "general" }: Query,
): SearchRequest | { readonly problem: string } {
  if (search.key === undefined) return { problem: `The search failed. ${BAD_KEY}` };
  const kind = { general: "web", news: "news", images: "images", videos: "videos" }[category as string];
  if (kind === undefined) {
    return { problem: `This search has the categories general, news, images and videos, and no "${category}".` };
  }
  const asked = new URLSearchParams({ q: query, count: String(n) });
  if (recency) asked.set("freshness", FRESHNESS[recency]);
  return { url: `${search.url}/res/v1/${kind}/search?${asked}`, headers: { "x-subscription-token": search.key } };
}

const text = z.string().nullish().transform((value) => value ?? "");

const searxngAnswer = z.object({
  results: z.array(z.object({ title: text, url: text, content: text, publishedDate: text })),
});

const braveResult = z.object({ title: text, url: text, description: text, age: text, page_age: text });

const braveAnswer = z.union([
  z.object({ web: z.object({ results: z.array(braveResult) }) }).transform(({ web }) => web.results),
  z.object({ results: z.array(braveResult) }).transform(({ results }) => results),
  // A search that found nothing has no results at all.
  z.object({ type: z.literal("search") }).transform(() => []),
]);

function hitsOfSearxng(json: unknown): readonly Hit[] | null {
  const read = searxngAnswer.safeParse(json);
  if (!read.success) return null;
  return read.data.results.map(({ title, url, content, publishedDate }) => ({
    title,
    url,
    text: content,
    ...publishedDate ? { date: publishedDate } : {},
  }));
}

function hitsOfBrave(json: unknown): readonly Hit[] | null {
  const read = braveAnswer.safeParse(json);
  if (!read.success) return null;
  return read.data.map(({ title, url, description, age, page_age }) => ({
    title: plain(title),
    url,
    text: plain(description),
    ...(page_age || age) ? { date: page_age || age } : {},
  }));
}

/** Brave marks the words that were found. */
function plain(html: string): string {
  return html.replace(/<\/?strong>/g, "").replace(
    /&(amp|lt|gt|quot|#x27|#39);/g,
    (_, name: string) => ({ amp: "&", lt: "<", gt: ">", quot: '"' })[name] ?? "'",
  );
}

/** Characters of a result's own words that are given. */
const SHOWN = 500;

function shown({ title, url, text, date }: Hit, at: number): string {
  const line = (words: string, most: number) => words.replace(/\s+/g, " ").trim().slice(0, most);
  const words = line(text, SHOWN);
  return [
    `${at + 1}. ${line(title, 200) || "(no title)"}`,
    `   ${line(url, 1_000)}`,
    ...date ? [`   ${line(date, 40)}`] : [],
    ...words ? [`   ${words}`] : [],
  ].join("\n");
}
