import assert from "node:assert/strict";
import { EmbeddingFailed } from "../../../../core/memory/embedding/embedder.ts";
import { LocalEmbedder } from "../../../../core/memory/embedding/local.ts";

const near = (a: Float32Array, b: Float32Array) => a.reduce((sum, value, at) => sum + value * b[at]!, 0);

Deno.test("the local model puts a question closer to the fact that answers it than to another (K-331)", async () => {
  const changes: boolean[] = [];
  const embedder = new LocalEmbedder({ onChange: (running) => changes.push(running) });
  try {
    assert.deepEqual(changes, [], "nothing is loaded before the first text");
    const [question, dog, tax] = await embedder.embed([
      "What is my pet called?",
      "The dog's name is Biscuit",
      "Taxes are due at the end of May",
    ]);
    assert.equal(question!.length, 512);
    assert.ok(near(question!, dog!) > near(question!, tax!));
    assert.ok(Math.abs(near(dog!, dog!) - 1) < 1e-4, "vectors are of length one");
    const [long] = await embedder.embed(["The dog's name is Biscuit. ".repeat(200)]);
    assert.ok(near(long!, dog!) > 0.8, "a long text is the middle of its pieces");
  } finally {
    embedder.close();
  }
  assert.deepEqual(changes, [true, false]);
});

/** A worker made of these lines, with the permissions of the real one or those given. */
function workerOf(lines: string, permissions: Deno.PermissionOptions = "none"): () => Worker {
  const url = `data:text/javascript,${encodeURIComponent(lines)}`;
  return () => new Worker(url, { type: "module", deno: { permissions } });
}

const ANSWERS = `self.onmessage = ({ data }) => self.postMessage({ id: data.id, vector: new Float32Array([3, 4]) });`;

Deno.test("the worker ends when nothing was asked for a while, and starts again for the next text", async () => {
  const changes: boolean[] = [];
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  const embedder = new LocalEmbedder({
    start: workerOf(ANSWERS),
    idleMs: 1,
    onChange: (running) => {
      changes.push(running);
      if (!running) resolve();
    },
  });
  const [vector] = await embedder.embed(["a"]);
  assert.deepEqual([...vector!].map((value) => Math.round(value * 10)), [6, 8]);
  // The timer does not keep a process alive; this one does.
  const alive = setInterval(() => {}, 1000);
  await ended;
  clearInterval(alive);
  await embedder.embed(["b"]);
  embedder.close();
  assert.deepEqual(changes.slice(0, 3), [true, false, true]);
});

Deno.test("a worker that cannot be loaded is missing, one that dies later failed", async () => {
  const broken = new LocalEmbedder({ start: workerOf(`import "file:///nowhere/model.js";`) });
  await assert.rejects(broken.embed(["a"]), (error) => error instanceof EmbeddingFailed && error.kind === "missing");
  const dying = new LocalEmbedder({
    start: workerOf(`${ANSWERS} addEventListener("message", ({ data }) => { if (data.text === "die") throw 1; });
      self.onmessage = ({ data }) => { if (data.text !== "die") self.postMessage({ id: data.id, vector: new Float32Array([1]) }); };`),
  });
  assert.equal((await dying.embed(["a"])).length, 1);
  await assert.rejects(dying.embed(["die"]), (error) => error instanceof EmbeddingFailed && error.kind === "failed");
  assert.equal((await dying.embed(["a"])).length, 1, "the next text gets a new worker");
  dying.close();
});

Deno.test("a search that is given up does not wait for the model", async () => {
  const embedder = new LocalEmbedder({ start: workerOf(`self.onmessage = () => {};`) });
  const stop = new AbortController();
  const asked = embedder.embed(["a"], stop.signal);
  stop.abort(new Error("enough"));
  await assert.rejects(asked, /enough/);
  embedder.close();
});
