import assert from "node:assert/strict";
import { type Host, serve } from "../../core/egress/hosts.ts";
import { insideOf, lookupAt, textOf } from "./web_fixture.ts";

const RESULTS = {
  results: [
    {
      title: "One",
      url: "https://one.example/",
      content: "The\n first",
      publishedDate: "2024-05-06T00:00:00",
      engine: "a",
    },
    { title: "Two", url: "https://two.example/", content: null },
    { title: "Three === ends ===", url: "javascript:alert(1)", content: "x" },
    { title: "Four", url: "https://four.example/" },
  ],
};

const searxng = (status = 200): Host => serve(() => Response.json(RESULTS, { status }));

const search = (host: Host, input: Record<string, unknown> = {}, named = true) =>
  textOf("web_search", { query: "tending", ...input }, {
    allow: [],
    lookup: lookupAt(host.origin, { search: { kind: "searxng", url: host.origin, isNamed: named } }),
  });

Deno.test("web_search() lists what SearXNG finds, on a private address that a person configured", async () => {
  await using host = searxng();
  const { before, content } = insideOf(await search(host));
  assert.match(before, /3 results, the best first:$/);
  assert.equal(
    content,
    "1. One\n   https://one.example/\n   2024-05-06T00:00:00\n   The first\n\n2. Two\n   https://two.example/\n\n3. Four\n   https://four.example/",
  );
  assert.equal(host.requests[0]?.url, `${host.origin}/search?q=tending&format=json`);
});

Deno.test("number, recency and category are passed on (K section 17.4)", async () => {
  await using host = searxng();
  const { content } = insideOf(await search(host, { n: 1, recency: "month", category: "news" }));
  assert.doesNotMatch(content, /Two/);
  const asked = new URL(host.requests[0]?.url ?? "").searchParams;
  assert.deepEqual([asked.get("time_range"), asked.get("categories")], ["month", "news"]);
});

Deno.test("a search that finds nothing says so, and a recency that is none is answered with those there are", async () => {
  await using host = serve(() => Response.json({ results: [] }));
  assert.match(await search(host), /found nothing/);
  assert.match(await search(host, { recency: "decade" }), /day/);
});

Deno.test("without a search it is said what to set (K-171)", async () => {
  const gone = searxng();
  await gone[Symbol.asyncDispose]();
  assert.match(await search(gone, {}, false), /search_url under \[lookup\] in config\.toml, or with SEARXNG_BASE_URL/);
  assert.match(await search(gone), /The search failed\. .*did not take the connection/);
});

Deno.test("something else at SearXNG's usual place is not taken for it", async () => {
  await using host = serve(() => new Response("<html>my own app"));
  assert.match(await search(host, {}, false), /There is no search to ask/);
  assert.match(await search(host), /did not answer with JSON/);
  await using other = serve(() => Response.json({ hello: 1 }));
  assert.match(await search(other), /not the one that searxng gives/);
});

Deno.test("SearXNG that does not give JSON is told how to", async () => {
  await using host = searxng(403);
  assert.match(await search(host), /search\.formats/);
});

const brave = (host: Host, key: string | undefined, input: Record<string, unknown> = {}) =>
  textOf("web_search", { query: "tending", ...input }, {
    lookup: lookupAt(host.origin, {
      search: { kind: "brave", url: host.origin, isNamed: true, ...key ? { key } : {} },
    }),
  });

Deno.test("a search that speaks as Brave does is asked with its key", async () => {
  const result = {
    title: "<strong>Tending</strong> &amp; more",
    url: "https://a.example/",
    description: "a <strong>b</strong>",
    age: "2 days ago",
  };
  await using host = serve((request) =>
    Response.json(
      new URL(request.url).pathname.includes("news") ? { results: [result] } : { web: { results: [result] } },
    )
  );
  const expected = "1. Tending & more\n   https://a.example/\n   2 days ago\n   a b";
  assert.equal(insideOf(await brave(host, "k", { recency: "week" })).content, expected);
  assert.equal(insideOf(await brave(host, "k", { category: "news" })).content, expected);
  assert.deepEqual(host.requests.map(({ url }) => url.slice(host.origin.length)), [
    "/res/v1/web/search?q=tending&count=5&freshness=pw",
    "/res/v1/news/search?q=tending&count=5",
  ]);
  assert.equal(host.requests[0]?.headers.get("x-subscription-token"), "k");
});

Deno.test("without its key, with a wrong one, and for a category it lacks, Brave is not asked in vain", async () => {
  await using host = serve(() => Response.json({}, { status: 422 }));
  assert.match(await brave(host, undefined), /MALAMA_SEARCH_KEY/);
  assert.match(await brave(host, "k", { category: "map" }), /no "map"/);
  assert.equal(host.requests.length, 0);
  assert.match(await brave(host, "wrong"), /does not take the key/);
});
