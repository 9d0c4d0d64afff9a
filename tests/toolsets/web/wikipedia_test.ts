import assert from "node:assert/strict";
import { serve } from "../../core/egress/hosts.ts";
import { insideOf, lookupAt, textOf } from "./web_fixture.ts";

interface Page {
  readonly title: string;
  readonly extract?: string;
  readonly index?: number;
  readonly disambiguation?: boolean;
}

/** An encyclopedia that holds these articles, and finds those whose text has the word. */
function encyclopedia(pages: readonly Page[]) {
  return serve((request) => {
    const asked = new URL(request.url).searchParams;
    const title = asked.get("titles");
    const word = asked.get("gsrsearch")?.toLowerCase() ?? "";
    const found = title !== null
      ? pages.filter((page) => page.title === title)
      : pages.filter(({ extract = "" }) => extract.toLowerCase().includes(word));
    if (title === null && found.length === 0) return Response.json({ batchcomplete: true });
    const shown = found.map((page, at) => ({
      pageid: at + 1,
      title: page.title,
      index: found.length - at,
      // A search gives the text of its first page alone.
      ...title !== null || at === found.length - 1 ? { extract: page.extract } : {},
      fullurl: `https://en.wikipedia.org/wiki/${encodeURIComponent(page.title)}`,
      ...page.disambiguation
        ? {
          pageprops: { disambiguation: "" },
          links: [{ ns: 0, title: "Mercury (planet)" }, { ns: 0, title: "Mercury (god)" }],
        }
        : {},
    }));
    return Response.json({ query: { pages: shown.length > 0 ? shown : [{ title, missing: true }] } });
  });
}

const look = (origin: string, input: Record<string, unknown>) =>
  textOf("wikipedia", input, { allow: [], lookup: lookupAt(origin) });

Deno.test("wikipedia() reads the article of that title", async () => {
  await using host = encyclopedia([{
    title: "Terrarium",
    extract: "A terrarium is a glass container.\n\n== History ==\nOld.",
  }]);
  const { before, content, after } = insideOf(await look(host.origin, { topic: "Terrarium" }));
  assert(before.startsWith("From https://en.wikipedia.org/wiki/Terrarium. "));
  assert.equal(content, "# Terrarium\n\nA terrarium is a glass container.\n\n== History ==\nOld.");
  assert.equal(after, "");
});

Deno.test("a topic that is no title is searched for, and what else was found is named", async () => {
  await using host = encyclopedia([{ title: "Vivarium", extract: "Also glass." }, {
    title: "Terrarium",
    extract: "A glass container.",
  }]);
  const { content } = insideOf(await look(host.origin, { topic: "glass" }));
  assert.equal(content, "# Terrarium\n\nA glass container.\n\nAlso found: Vivarium");
});

Deno.test("a title of several meanings names them", async () => {
  await using host = encyclopedia([{ title: "Mercury", extract: "Mercury may refer to:", disambiguation: true }]);
  const { before, content } = insideOf(await look(host.origin, { topic: "Mercury" }));
  assert.match(before, /several meanings: call again with the one that is meant\.$/);
  assert.match(content, /- Mercury \(planet\)\n- Mercury \(god\)$/);
});

Deno.test("a topic nobody wrote about is answered with what to try (K-328)", async () => {
  await using host = encyclopedia([]);
  assert.match(await look(host.origin, { topic: "qqq" }), /no article about "qqq"/);
});

Deno.test("a long article is cut with a marker", async () => {
  await using host = encyclopedia([{ title: "Long", extract: "x".repeat(20_000) }]);
  assert.match(
    insideOf(await look(host.origin, { topic: "Long" })).after,
    /^\[Cut: the first 12000 of 20000 characters/,
  );
});

Deno.test("the language stands in the address, and what is no code of one is refused", async () => {
  await using host = encyclopedia([{ title: "Terrarium", extract: "Ein Behälter." }]);
  const lookup = lookupAt(host.origin, { wikipediaUrl: `${host.origin}/{language}` });
  assert.match(await textOf("wikipedia", { topic: "Terrarium", language: "de" }, { lookup }), /Behälter/);
  assert(host.requests[0]?.url.startsWith(`${host.origin}/de/w/api.php?`));
  assert.match(await look(host.origin, { topic: "x", language: "evil.example/" }), /code of a language/);
});

Deno.test("what is not Wikipedia, and what does not answer, is said", async () => {
  await using host = serve(() => Response.json({ query: 1 }));
  assert.match(await look(host.origin, { topic: "x" }), /not Wikipedia/);
  await using failing = serve(() => new Response("", { status: 503 }));
  assert.match(await look(failing.origin, { topic: "x" }), /status 503/);
});
