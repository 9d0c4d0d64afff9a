import assert from "node:assert/strict";
import { type FakeRequest, type Reply, startFakeProvider } from "../providers/mod.ts";
import { INTERRUPTED } from "../../core/log/mod.ts";
import { startProduct } from "./product.ts";
import { type ServerProcess, spawnServer } from "./server_process.ts";
import { slowToolset } from "./slow_toolset.ts";

async function call<T>({ url, token }: ServerProcess, path: string, body: unknown): Promise<T> {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const answer = await fetch(url + path, { method: "POST", headers, body: JSON.stringify(body) });
  assert.ok(answer.ok, `${path} ${answer.status}`);
  return await answer.json();
}

/** As `frame`: the whole reply is sent, so that its calls run. */
const CALLS_RUN = Infinity;

/** Where the process is killed: after that many frames of that request, and so many milliseconds later. */
const POINTS = [
  { protocol: "openai-chat", request: 0, frame: 0, ms: 0, name: "before the first byte" },
  { protocol: "ollama", request: 0, frame: 2, ms: 0, name: "while it thinks" },
  { protocol: "google", request: 0, frame: 5, ms: 10, name: "while it writes" },
  { protocol: "openai-chat", request: 0, frame: 9, ms: 0, name: "between the pieces of parallel calls" },
  { protocol: "anthropic", request: 0, frame: 13, ms: 0, name: "as a call may start while another is being written" },
  { protocol: "openai-responses", request: 0, frame: CALLS_RUN, ms: 60, name: "inside parallel calls" },
  { protocol: "ollama", request: 0, frame: CALLS_RUN, ms: 260, name: "between the ends of parallel calls" },
  { protocol: "google", request: 1, frame: 0, ms: 0, name: "between the calls and the answer" },
  { protocol: "anthropic", request: 1, frame: 4, ms: 300, name: "in the answer, past a flush" },
] as const;

for (const point of POINTS) {
  const { protocol } = point;
  Deno.test(`casebook: kill -9 ${point.name} (${protocol}) loses nothing acknowledged and leaves a well-formed request`, async () => {
    const reached = Promise.withResolvers<void>();
    const killed = Promise.withResolvers<void>();
    const watch = (request: number) => (frame: number): Promise<void> | void => {
      if (point.request !== request || frame < point.frame) return;
      reached.resolve();
      return killed.promise;
    };
    const replies: Reply[] = [
      {
        thinking: ["One ", "two ", "three "],
        text: ["Let ", "me ", "see "],
        toolCalls: [100, 400, 150].map((ms) => ({ name: "slow", arguments: { ms } })),
        gate: watch(0),
      },
      { text: ["The ", "answer ", "is ", "long"], gate: watch(1) },
    ];
    const seen: FakeRequest[] = [];
    await using provider = startFakeProvider(protocol, (request, n) => {
      seen.push(request);
      if (n === 0 && point.frame === CALLS_RUN) reached.resolve();
      return n < 2 ? replies[n]! : { text: "hello again" };
    });
    const dataDir = await Deno.makeTempDir({ prefix: "malama-crash-" });
    const victim = await spawnServer(dataDir, provider.modelString);
    let conversation: string;
    try {
      conversation = (await call<{ id: string }>(victim, "/api/conversations", {})).id;
      const path = `/api/conversations/${conversation}/messages`;
      await call(victim, path, { text: "first", token: "one" });
      await reached.promise;
      // Accepted while the turn runs: one is to be a turn of its own, one is to be read by the turn that will not end.
      await call(victim, path, { text: "second", token: "two", queue: true });
      const { fate } = await call<{ fate: string }>(victim, path, { text: "steer", token: "three" });
      assert.equal(fate, "joined");
      await new Promise((done) => setTimeout(done, point.ms));
    } finally {
      await victim.kill();
      killed.resolve();
    }

    await using product = await startProduct({ dataDir, model: provider.modelString, toolsets: [slowToolset] });
    await product.assistant.started;
    const said = async () => (await product.of(conversation, "user")).map((entry) => entry.data.text);
    const second = await product.call<{ turn: string }>("POST", `/api/conversations/${conversation}/messages`, {
      text: "second",
      token: "two",
      queue: true,
    });
    assert.equal((await product.ended(second.turn)).status, "done");
    assert.deepEqual(await said(), ["first", "steer", "second"]);
    const steer = { text: "steer", token: "three" };
    const again = await product.call<{ fate: string }>("POST", `/api/conversations/${conversation}/messages`, steer);
    assert.equal(again.fate, "joined", "it is known by its token, and not run twice");

    const entries = await product.stored(conversation);
    assert.deepEqual(entries.map((entry) => entry.seq), entries.map((_, at) => at + 1));
    assert.ok(entries.every((entry) => entry.state === "done"));
    const { path } = await product.assistant.conversations.get(conversation);
    assert.deepEqual(path.map((turn) => turn.status), ["interrupted", "done", "done"]);
    const results = (await product.of(conversation, "tool")).map((entry) => entry.data.result);
    assert.ok(results.every((result) => result === INTERRUPTED || /^waited \d+$/.test(result ?? "")));

    // The fake provider refuses a request whose calls and results do not match, as the real ones do.
    const last = seen.at(-1)!;
    assert.ok(last.body.includes("second"), "the second message reached the model");
    const once = (text: string) => last.body.split(text).length - 1;
    assert.equal(once(INTERRUPTED) + once("waited "), results.length);
    const next = await product.say(conversation, "hi");
    assert.equal((await product.ended(next)).status, "done");
    assert.deepEqual(await said(), ["first", "steer", "second", "hi"]);
  });
}
