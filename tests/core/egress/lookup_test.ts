import assert from "node:assert/strict";
import { lookupOf } from "../../../core/egress/mod.ts";

const settings = {
  searchKind: "searxng",
  wikipediaUrl: "https://{language}.wikipedia.org/",
  weatherUrl: "https://w.example",
  geocodingUrl: "https://g.example//",
} as const;

Deno.test("without a word on it the search is SearXNG's usual place, and nobody named it", () => {
  const { search, wikipediaUrl, geocodingUrl } = lookupOf(settings, () => undefined);
  assert.deepEqual(search, { kind: "searxng", url: "http://localhost:8080", isNamed: false });
  assert.deepEqual([wikipediaUrl, geocodingUrl], ["https://{language}.wikipedia.org", "https://g.example"]);
});

Deno.test("the file goes before SEARXNG_BASE_URL, and that before the usual place (K-022)", () => {
  const env = (name: string) => name === "SEARXNG_BASE_URL" ? "http://from-env:1/" : undefined;
  assert.equal(lookupOf(settings, env).search.url, "http://from-env:1");
  assert.equal(lookupOf({ ...settings, searchUrl: "http://file:2" }, env).search.url, "http://file:2");
});

Deno.test("Brave has its own place and its key from the environment, and nothing of SearXNG's", () => {
  const env = (name: string) => ({ MALAMA_SEARCH_KEY: "k", SEARXNG_BASE_URL: "http://x" })[name];
  assert.deepEqual(lookupOf({ ...settings, searchKind: "brave" }, env).search, {
    kind: "brave",
    url: "https://api.search.brave.com",
    isNamed: true,
    key: "k",
  });
});
