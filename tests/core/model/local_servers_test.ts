import assert from "node:assert/strict";
import {
  BadModelString,
  listLocalModels,
  type LocalProbe,
  parseModelString,
  resolveDefaultModel,
} from "../../../core/model/mod.ts";

/** What a server answers at each path; a function may answer by the request. */
type Answers = Readonly<Record<string, unknown | ((request: Request) => Response | Promise<Response>)>>;

/**
 * Real servers on free ports, reached through the addresses a probe asks. What has no server here is refused, as a port
 * nobody listens on is.
 */
async function withServers(
  servers: Readonly<Record<string, Answers>>,
  run: (probe: LocalProbe, asked: readonly string[]) => Promise<void>,
): Promise<void> {
  const asked: string[] = [];
  const ports = new Map<string, number>();
  const running = Object.entries(servers).map(([host, answers]) => {
    const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, (request) => {
      const answer = answers[new URL(request.url).pathname];
      if (answer === undefined) return new Response("not here", { status: 404 });
      return typeof answer === "function" ? answer(request) : Response.json(answer);
    });
    ports.set(host, server.addr.port);
    return server;
  });
  const routed: typeof fetch = (input, init) => {
    const url = new URL(String(input));
    asked.push(url.href);
    const port = ports.get(url.host);
    if (port === undefined) return Promise.reject(new TypeError("connection refused"));
    return fetch(`http://127.0.0.1:${port}${url.pathname}`, init);
  };
  try {
    await run({ fetch: routed, env: () => undefined, timeoutMs: 5_000 }, asked);
  } finally {
    await Promise.all(running.map((server) => server.shutdown()));
  }
}

const models = (...ids: string[]) => ({ data: ids.map((id) => ({ id, object: "model", owned_by: "vllm" })) });

const OLLAMA: Answers = {
  "/api/tags": { models: [{ name: "plain:1b" }, { name: "able:8b" }, { name: "nomic-embed-text" }] },
  "/api/show": async (request: Request) => {
    const { model } = await request.json();
    const capabilities: Record<string, string[]> = {
      "plain:1b": ["completion"],
      "able:8b": ["completion", "tools", "thinking", "vision"],
      "nomic-embed-text": ["embedding"],
    };
    return Response.json({ capabilities: capabilities[model], model_info: { "qwen3.context_length": 40_960 } });
  },
};

Deno.test("listLocalModels() reads Ollama's models with what they can do, those with tools first", async () => {
  await withServers({ "localhost:11434": OLLAMA }, async (probe) => {
    const found = await listLocalModels(probe);
    assert.deepEqual(found.map((model) => model.string), [
      "ollama:able:8b;thinking,vision",
      "ollama:plain:1b;tools=false",
    ]);
    assert.deepEqual(found[0], {
      string: "ollama:able:8b;thinking,vision",
      provider: "ollama",
      id: "able:8b",
      server: "Ollama",
      address: "http://localhost:11434",
      tools: true,
      thinking: true,
      images: true,
      contextWindow: 40_960,
    });
  });
});

Deno.test("listLocalModels() reads an older Ollama that does not say what its models can do", async () => {
  const tags = { models: [{ name: "llama3:8b" }, { name: "mxbai-embed-large" }] };
  await withServers({ "localhost:11434": { "/api/tags": tags } }, async (probe) => {
    const found = await listLocalModels(probe);
    assert.deepEqual(found.map((model) => model.string), ["ollama:llama3:8b"]);
    assert.equal(found[0]?.tools, undefined);
  });
});

Deno.test("listLocalModels() asks OLLAMA_HOST, and keeps its address in the string", async () => {
  await withServers({ "gpu.lan:9999": OLLAMA }, async (probe) => {
    const env = (name: string) => name === "OLLAMA_HOST" ? "gpu.lan:9999" : undefined;
    const [first] = await listLocalModels({ ...probe, env });
    assert.equal(first?.string, "ollama:able:8b@http://gpu.lan:9999;thinking,vision");
    assert.equal(parseModelString(first?.string ?? "").baseUrl, "http://gpu.lan:9999");
  });
});

Deno.test("listLocalModels() reads LM Studio's own listing", async () => {
  const own = {
    data: [
      { id: "no-tools", type: "llm", capabilities: [], max_context_length: 4096 },
      { id: "seer", type: "vlm", capabilities: ["tool_use"], max_context_length: 32_768 },
      { id: "embedder", type: "embeddings" },
    ],
  };
  const server = { "/api/v0/models": own, "/v1/models": models("seer", "no-tools", "embedder") };
  await withServers({ "localhost:1234": server }, async (probe) => {
    const found = await listLocalModels(probe);
    assert.deepEqual(found.map((model) => model.string), ["lmstudio:seer;vision", "lmstudio:no-tools;tools=false"]);
    assert.equal(found[0]?.contextWindow, 32_768);
  });
});

Deno.test("listLocalModels() reads an LM Studio without a listing of its own the common way", async () => {
  await withServers({ "localhost:1234": { "/v1/models": models("qwen", "text-embedding-3") } }, async (probe) => {
    assert.deepEqual((await listLocalModels(probe)).map((model) => model.string), ["lmstudio:qwen"]);
  });
});

Deno.test("listLocalModels() reads llama.cpp, vLLM and SGLang, in the order K-322 gives", async () => {
  const servers = {
    "localhost:30000": { "/v1/models": models("s/glang") },
    "localhost:8000": { "/v1/models": { data: [{ id: "org/vllm", owned_by: "vllm", max_model_len: 8192 }] } },
    "localhost:8080": { "/v1/models": { data: [{ id: "gguf", owned_by: "llamacpp", meta: { n_ctx_train: 2048 } }] } },
    "localhost:11434": OLLAMA,
  };
  await withServers(servers, async (probe) => {
    const found = (await listLocalModels(probe)).filter((model) => model.provider !== "ollama");
    assert.deepEqual(found.map((model) => [model.string, model.contextWindow]), [
      ["llamacpp:gguf", 2048],
      ["vllm:org/vllm", 8192],
      ["openai-compat:s/glang@http://localhost:30000/v1", undefined],
    ]);
  });
});

Deno.test("listLocalModels() does not take Malama itself for a model server", async () => {
  const own = { data: [{ id: "assistant", object: "model", owned_by: "malama" }] };
  await withServers({ "localhost:8000": { "/v1/models": own } }, async (probe) => {
    assert.deepEqual(await listLocalModels(probe), []);
  });
});

Deno.test("listLocalModels() does not ask the ports Malama listens on", async () => {
  await withServers({ "localhost:8000": { "/v1/models": models("x") } }, async (probe, asked) => {
    assert.deepEqual(await listLocalModels({ ...probe, ownPorts: [8000] }), []);
    assert.ok(!asked.some((url) => url.includes(":8000")));
  });
});

const NONSENSE: readonly (readonly [string, () => Response])[] = [
  ["an error", () => new Response("no", { status: 500 })],
  ["a login", () => new Response("who are you", { status: 401 })],
  ["a page", () => new Response("<html>", { headers: { "content-type": "text/html" } })],
  ["another shape", () => Response.json({ models: "many" })],
  ["nothing", () => new Response("")],
  ["a redirect", () => new Response(null, { status: 302, headers: { location: "http://localhost:1/" } })],
];

for (const [name, answer] of NONSENSE) {
  Deno.test(`listLocalModels() takes a server that answers with ${name} as none`, async () => {
    const server = { "/api/tags": answer, "/v1/models": answer, "/api/v0/models": answer };
    await withServers({ "localhost:11434": server, "localhost:1234": server }, async (probe) => {
      assert.deepEqual(await listLocalModels(probe), []);
    });
  });
}

Deno.test("listLocalModels() leaves out a name that no model string can hold", async () => {
  await withServers({ "localhost:8080": { "/v1/models": models("my model", "a;b", "fine") } }, async (probe) => {
    assert.deepEqual((await listLocalModels(probe)).map((model) => model.id), ["fine"]);
  });
});

Deno.test("listLocalModels() gives up on a server that does not answer in time, and keeps the others", async () => {
  const hang: typeof fetch = (input, init) => {
    const url = String(input);
    if (url.includes(":8080/v1")) return Promise.resolve(Response.json(models("quick")));
    return new Promise((_resolve, reject) => {
      init?.signal?.addEventListener("abort", () => reject(init.signal?.reason), { once: true });
    });
  };
  const found = await listLocalModels({ fetch: hang, env: () => undefined, timeoutMs: 20 });
  assert.deepEqual(found.map((model) => model.string), ["llamacpp:quick"]);
});

Deno.test("listLocalModels() asks all servers at once", async () => {
  let waiting = 0;
  let most = 0;
  const count: typeof fetch = async () => {
    most = Math.max(most, ++waiting);
    await new Promise((resolve) => queueMicrotask(() => resolve(undefined)));
    waiting--;
    throw new TypeError("connection refused");
  };
  await listLocalModels({ fetch: count, env: () => undefined });
  assert.ok(most >= 5, `${most} at once`);
});

Deno.test("listLocalModels() passes the caller's abort on", async () => {
  const stop = new AbortController();
  const hang: typeof fetch = (_input, init) => {
    stop.abort(new Error("stopped"));
    return new Promise((_resolve, reject) => {
      if (init?.signal?.aborted) reject(init.signal.reason);
      init?.signal?.addEventListener("abort", () => reject(init.signal?.reason), { once: true });
    });
  };
  await assert.rejects(listLocalModels({ fetch: hang, env: () => undefined, signal: stop.signal }), /stopped/);
});

const refuseAll: typeof fetch = () => Promise.reject(new TypeError("connection refused"));
const neverAsk: typeof fetch = () => Promise.reject(new Error("asked"));

Deno.test("resolveDefaultModel() takes the flag, then the config, then MALAMA_MODEL, without asking anyone", async () => {
  const env = (name: string) => name === "MALAMA_MODEL" ? "ollama:from-env" : undefined;
  const base = { env, fetch: neverAsk };
  assert.deepEqual(await resolveDefaultModel({ ...base, flag: "demo:echo", configured: "demo:tour" }), {
    string: "demo:echo",
    source: "flag",
  });
  assert.deepEqual(await resolveDefaultModel({ ...base, configured: "openai:gpt-5@https://p.example/v1" }), {
    string: "openai:gpt-5@https://p.example/v1",
    source: "config",
  });
  assert.deepEqual(await resolveDefaultModel(base), { string: "ollama:from-env", source: "environment" });
});

Deno.test("resolveDefaultModel() refuses a bad string at once, and says where it was written", async () => {
  const env = (name: string) => name === "MALAMA_MODEL" ? "gpt-5" : undefined;
  const refused = (options: { flag?: string; configured?: string }, where: RegExp) =>
    assert.rejects(
      resolveDefaultModel({ env, fetch: refuseAll, ...options }),
      (error) => error instanceof BadModelString && where.test(error.message),
    );
  await refused({}, /^MALAMA_MODEL: "gpt-5" is not a model/);
  await refused({ configured: "x" }, /^\[assistant\] model: "x"/);
  await refused({ flag: "x:y" }, /^--model: "x:y"/);
});

Deno.test("resolveDefaultModel() takes a local server's model that calls tools", async () => {
  await withServers({ "localhost:11434": OLLAMA }, async (probe) => {
    assert.deepEqual(await resolveDefaultModel(probe), {
      string: "ollama:able:8b;thinking,vision",
      source: "local",
      server: "Ollama",
    });
  });
});

Deno.test("resolveDefaultModel() falls back to the demonstration, and never to the cloud, whatever keys are set", async () => {
  const env = (name: string) => name.endsWith("_API_KEY") ? "a-key" : name === "MALAMA_MODEL" ? "  " : undefined;
  const asked: string[] = [];
  const note: typeof fetch = (input) => {
    asked.push(new URL(String(input)).hostname);
    return Promise.reject(new TypeError("connection refused"));
  };
  assert.deepEqual(await resolveDefaultModel({ env, fetch: note }), { string: "demo:tour", source: "demo" });
  assert.deepEqual([...new Set(asked)], ["localhost"]);
});
