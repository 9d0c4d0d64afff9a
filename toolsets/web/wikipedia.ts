/**
 * An article of Wikipedia, by its title or by what is meant.
 *
 * @module
 */
import { z } from "malama";
import type { Egress, Lookup } from "../../core/egress/mod.ts";
import { jsonOf, tryFetch } from "./answers.ts";
import { fence } from "../fence.ts";

/** Characters of an article that are given. */
const SHOWN = 12_000;

/** Other articles that are named. */
const OTHERS = 5;

const answerShape = z.object({
  query: z.object({
    pages: z.array(z.object({
      title: z.string(),
      index: z.number().default(0),
      extract: z.string().default(""),
      fullurl: z.string().default(""),
      pageprops: z.object({ disambiguation: z.string().optional() }).default({}),
      links: z.array(z.object({ title: z.string() })).default([]),
    })),
  }).optional(),
});

type Article = NonNullable<z.output<typeof answerShape>["query"]>["pages"][number];

/** Articles, the best first, or the sentence that stands for them. */
type Told = { readonly pages: readonly Article[] } | { readonly problem: string };

/** Looks a topic up: an article of that very title, else the one that a search finds first. Throws the signal's reason. */
export async function lookUp(
  egress: Egress,
  { wikipediaUrl }: Lookup,
  { topic, language }: { readonly topic: string; readonly language: string },
  signal: AbortSignal,
): Promise<string> {
  const base = wikipediaUrl.replace("{language}", language);
  const ask = async (how: Readonly<Record<string, string>>): Promise<Told> => {
    const asked = new URLSearchParams({
      action: "query",
      format: "json",
      formatversion: "2",
      prop: "extracts|info|pageprops|links",
      inprop: "url",
      ppprop: "disambiguation",
      explaintext: "1",
      exsectionformat: "wiki",
      pllimit: "50",
      plnamespace: "0",
      redirects: "1",
      ...how,
    });
    const fetched = await tryFetch(egress, `${base}/w/api.php?${asked}`, {
      signal,
      headers: { accept: "application/json" },
      trusted: [new URL(base).origin],
    });
    const read = "problem" in fetched ? fetched : jsonOf(fetched.answer);
    if ("problem" in read) return { problem: `Wikipedia could not be asked. ${read.problem}` };
    const shaped = answerShape.safeParse(read.json);
    if (!shaped.success) {
      return { problem: `What answers at ${base} is not Wikipedia: wikipedia_url under [lookup] is wrong.` };
    }
    return { pages: [...shaped.data.query?.pages ?? []].sort((one, other) => one.index - other.index) };
  };
  const exact = await ask({ titles: topic });
  if ("problem" in exact) return exact.problem;
  const page = exact.pages.find(({ extract }) => extract !== "");
  if (page) return shown(page, [], base);
  const search = { generator: "search", gsrsearch: topic, gsrlimit: String(OTHERS + 1), exlimit: "1" };
  const found = await ask(search);
  if ("problem" in found) return found.problem;
  const [first, ...others] = found.pages;
  if (!first) return `Wikipedia has no article about "${topic}": try other words, or another language.`;
  const read = first.extract === "" ? await ask({ titles: first.title }) : { pages: [first] };
  if ("problem" in read) return read.problem;
  return shown(read.pages[0] ?? first, others.map(({ title }) => title), base);
}

function shown(
  { title, extract, fullurl, pageprops, links }: Article,
  others: readonly string[],
  base: string,
): string {
  const text = extract.trim();
  const isCut = text.length > SHOWN;
  const isList = pageprops.disambiguation !== undefined;
  const meanings = isList ? ["", "Meanings:", ...links.map((link) => `- ${link.title}`)] : [];
  const also = others.length > 0 ? ["", `Also found: ${others.join("; ")}`] : [];
  const cut = text.slice(0, SHOWN).replace(/[\uD800-\uDBFF]$/, "");
  return fence({
    source: fullurl || base,
    content: [`# ${title}`, "", cut, ...meanings, ...also].join("\n"),
    before: isList ? ["The title has several meanings: call again with the one that is meant."] : [],
    after: isCut
      ? [
        `[Cut: the first ${cut.length} of ${text.length} characters are shown. get_web_content reads the whole article.]`,
      ]
      : [],
  });
}
