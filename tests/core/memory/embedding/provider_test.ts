import assert from "node:assert/strict";
import { createEmbedder } from "../../../../core/memory/embedding/create.ts";
import { EmbeddingFailed } from "../../../../core/memory/embedding/embedder.ts";

interface Asked {
  readonly path: string;
  readonly headers: Headers;
  readonly body: Record<string, unknown>;
}

/** A server on this machine that answers every request as `answer` does. */
async function withServer(
  answer: (asked: Asked) => Response,
  run: (url: string, asked: readonly Asked[]) => Promise<void>,
): Promise<void> {
  const asked: Asked[] = [];
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, async (request) => {
    const each = { path: new URL(request.url).pathname, headers: request.headers, body: await request.json() };
    asked.push(each);
    return answer(each);
  });
  try {
    await run(`http://127.0.0.1:${server.addr.port}`, asked);
  } finally {
    await server.shutdown();
  }
}

const env = (name: string) => ({ OPENAI_API_KEY: "sk-1", GEMINI_API_KEY: "g-1" })[name];
const make = (model: string) => createEmbedder(model, { env, report: () => {} });
const rounded = (vectors: readonly Float32Array[]) =>
  vectors.map((each) => [...each].map((v) => Math.round(v * 10) / 10));

Deno.test("Ollama is asked at /api/embed for all texts at once", () =>
  withServer(
    ({ body }) => Response.json({ embeddings: (body.input as string[]).map(() => [3, 4]) }),
    async (url, asked) => {
      const embedder = make(`ollama:nomic-embed-text@${url}`);
      assert.deepEqual(rounded(await embedder.embed(["a", "b"])), [[0.6, 0.8], [0.6, 0.8]]);
      assert.equal(asked[0]?.path, "/api/embed");
      assert.deepEqual(asked[0]?.body, { model: "nomic-embed-text", input: ["a", "b"] });
      assert.equal(embedder.model, "ollama:nomic-embed-text");
    },
  ));

Deno.test("an OpenAI-compatible server is asked at /embeddings with the key, and its answer is put in order", () => {
  const data = [{ index: 1, embedding: [0, 2] }, { index: 0, embedding: [2, 0] }];
  return withServer(() => Response.json({ data }), async (url, asked) => {
    const vectors = await make(`openai:text-embedding-3-small@${url}/v1`).embed(["a", "b"]);
    assert.deepEqual(rounded(vectors), [[1, 0], [0, 1]]);
    assert.equal(asked[0]?.path, "/v1/embeddings");
    assert.equal(asked[0]?.headers.get("authorization"), "Bearer sk-1");
  });
});

Deno.test("Gemini is asked with batchEmbedContents", () =>
  withServer(() => Response.json({ embeddings: [{ values: [0, 5] }] }), async (url, asked) => {
    assert.deepEqual(rounded(await make(`google:gemini-embedding-001@${url}`).embed(["a"])), [[0, 1]]);
    assert.equal(asked[0]?.path, "/v1beta/models/gemini-embedding-001:batchEmbedContents");
    assert.equal(asked[0]?.headers.get("x-goog-api-key"), "g-1");
    assert.deepEqual(asked[0]?.body, {
      requests: [{ model: "models/gemini-embedding-001", content: { parts: [{ text: "a" }] } }],
    });
  }));

const failures: readonly [string, () => Response, EmbeddingFailed["kind"], RegExp][] = [
  [
    "a refusal of the text",
    () => Response.json({ error: "too long" }, { status: 400 }),
    "refused",
    /answered 400.*too long/,
  ],
  ["a limit", () => new Response("slow down", { status: 429 }), "failed", /answered 429: slow down/],
  ["a redirect", () => Response.redirect("http://127.0.0.1:1/", 302), "failed", /answered 302/],
  ["a web page", () => new Response("<html>"), "failed", /a vector for each text/],
  ["too few vectors", () => Response.json({ embeddings: [] }), "failed", /a vector for each text/],
  ["no vectors at all", () => Response.json({ embeddings: [[]] }), "failed", /a vector for each text/],
];

for (const [name, answer, kind, message] of failures) {
  Deno.test(`${name} is an EmbeddingFailed that is "${kind}"`, () =>
    withServer(answer, async (url) => {
      await assert.rejects(make(`ollama:m@${url}`).embed(["a"]), (error) => {
        assert.ok(error instanceof EmbeddingFailed);
        assert.equal(error.kind, kind);
        assert.match(error.message, message);
        return true;
      });
    }));
}

Deno.test("a server that is not there is a failure that may pass, and names it", async () => {
  await assert.rejects(make("ollama:m@http://127.0.0.1:1").embed(["a"]), /Ollama does not answer/);
});
