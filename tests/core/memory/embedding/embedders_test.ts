import assert from "node:assert/strict";
import fc from "fast-check";
import { createEmbedder, embeddingProblem } from "../../../../core/memory/embedding/create.ts";
import { type Embedder, EmbeddingFailed, middle, pieces } from "../../../../core/memory/embedding/embedder.ts";
import { FallbackEmbedder } from "../../../../core/memory/embedding/fallback.ts";
import { HashEmbedder } from "../../../../core/memory/embedding/hash.ts";

const near = (a: Float32Array, b: Float32Array) => a.reduce((sum, value, at) => sum + value * b[at]!, 0);

Deno.test("hashed letters are close for words spelled alike, in any writing, and of length one for any text", async () => {
  const embedder = new HashEmbedder();
  const [one, other, far] = await embedder.embed(["the gardens of Kyoto", "a garden in Kyōto", "income taxes"]);
  assert.ok(near(one!, other!) > near(one!, far!));
  const [right, alike, off] = await embedder.embed(["הכלב שלי נקרא ביסקוויט", "ביסקוויט הכלב", "מסים בסוף מאי"]);
  assert.ok(near(right!, alike!) > near(right!, off!));
  await fc.assert(fc.asyncProperty(fc.string({ unit: "binary" }), async (text) => {
    const [vector] = await embedder.embed([text]);
    assert.ok(Math.abs(near(vector!, vector!) - 1) < 1e-4);
  }));
});

Deno.test("pieces() loses no word of a text, cuts no character in two and makes none too long", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 300 }), fc.integer({ min: 4, max: 40 }), (text, length) => {
      const parts = pieces(text.toWellFormed(), length);
      assert.ok(parts.every((part) => part.length <= length && part.isWellFormed()));
      assert.equal(parts.join("").replace(/\s/g, ""), text.toWellFormed().replace(/\s/g, ""));
    }),
  );
  assert.deepEqual(pieces("one two three", 8), ["one two", "three"]);
});

Deno.test("the middle of vectors of several lengths, or of none, is an error", () => {
  assert.throws(() => middle([]), RangeError);
  assert.throws(() => middle([new Float32Array(2), new Float32Array(3)]), RangeError);
});

Deno.test("when the first embedder is missing the second steps in for good, and that is said once (FACTS C4)", async () => {
  const said: string[] = [];
  let asked = 0;
  const first: Embedder = {
    model: "first",
    batch: 1,
    embed: () => (asked++, Promise.reject(new EmbeddingFailed("first", "missing", "there is no such package"))),
    weightOf: () => 1,
    close: () => {},
  };
  const embedder = new FallbackEmbedder(first, new HashEmbedder(), (message) => said.push(message));
  await Promise.all([embedder.embed(["a"]), embedder.embed(["b"])]);
  await embedder.embed(["c"]);
  assert.equal(embedder.model, "hash-512-v1");
  assert.equal(asked, 2);
  assert.equal(said.length, 1);
  assert.match(said[0]!, /no such package.*compared by their spelling/);
});

Deno.test("a failure that may pass does not bring the second embedder in", async () => {
  const first: Embedder = {
    model: "first",
    batch: 1,
    embed: () => Promise.reject(new EmbeddingFailed("first", "failed", "busy")),
    weightOf: () => 1,
    close: () => {},
  };
  const embedder = new FallbackEmbedder(first, new HashEmbedder(), () => assert.fail("said"));
  await assert.rejects(embedder.embed(["a"]), /busy/);
  assert.equal(embedder.model, "first");
});

Deno.test("embeddingProblem() takes local, hash and models with embeddings, and says what would be right else (K-334)", () => {
  for (
    const right of [
      "local",
      "hash",
      "ollama:nomic-embed-text",
      "openai:text-embedding-3-small",
      "google:gemini-embedding-001",
    ]
  ) {
    assert.equal(embeddingProblem(right), null);
    assert.ok(createEmbedder(right, { env: () => undefined, report: () => {} }));
  }
  assert.match(embeddingProblem("anthropic:claude-sonnet-5") ?? "", /has no embeddings: write "local", "hash"/);
  assert.match(embeddingProblem("locl") ?? "", /"local" and "hash" need no model/);
});
