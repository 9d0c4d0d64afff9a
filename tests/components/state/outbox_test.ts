import assert from "node:assert/strict";
import { Api } from "../../../components/state/api.ts";
import { Outbox } from "../../../components/state/outbox.ts";
import { type KeyValue, Store } from "../../../components/state/store.ts";

/** A browser's storage. */
class Memory implements KeyValue {
  readonly held = new Map<string, string>();
  getItem = (key: string) => this.held.get(key) ?? null;
  setItem = (key: string, value: string) => void this.held.set(key, value);
  removeItem = (key: string) => void this.held.delete(key);
  key = (n: number) => [...this.held.keys()][n] ?? null;
  get length() {
    return this.held.size;
  }
}

type Answer = (path: string, body: { text?: string; token?: string }) => Response | Promise<Response>;

const accepted = () => Response.json({ fate: "turn", turn: "t" }, { status: 202 });
const problem = (status: number, detail: string) =>
  Response.json({ title: "No", status, detail }, { status, headers: { "content-type": "application/problem+json" } });

/** An outbox over a server that a test plays, and a storage that a second outbox may be opened on. */
function stage(answer: Answer, memory = new Memory(), prefix = "a") {
  const asked: { path: string; text?: string; token?: string }[] = [];
  const begun: string[] = [];
  const said: string[] = [];
  let count = 0;
  const api = new Api("/base", async (input, init) => {
    const body = init?.body ? JSON.parse(String(init.body)) : {};
    const path = String(input);
    asked.push({ path, ...body });
    return await answer(path, body);
  });
  const outbox = new Outbox({
    api,
    store: new Store("/base", memory),
    token: () => `${prefix}${++count}`,
    now: () => new Date("2026-11-30T09:00:00Z"),
    exclusive: (work) => work(),
    onBegun: (id) => begun.push(id),
    onReceipt: (_id, receipt) => said.push(receipt.text ?? receipt.fate),
  });
  outbox.open();
  return { outbox, asked, begun, said, memory };
}

const states = (outbox: Outbox) => outbox.items.value.map((item) => `${item.text}: ${item.state}`);

Deno.test("a message is kept before it is sent, and until it is confirmed", async () => {
  const { outbox, memory } = stage(accepted);
  const { token } = outbox.add("c1", { text: "Hello" });
  assert.match([...memory.held.values()][0]!, /Hello/);
  await outbox.flush();
  assert.deepEqual(states(outbox), ["Hello: sent"]);
  outbox.confirm(new Set([token]));
  assert.deepEqual(states(outbox), []);
  assert.equal(memory.held.size, 0);
});

Deno.test("without a connection it waits, and goes out later with the same token", async () => {
  let online = false;
  const { outbox, asked } = stage(() => online ? accepted() : Promise.reject(new TypeError("failed")));
  outbox.add("c1", { text: "Hello" });
  await outbox.flush();
  assert.deepEqual(states(outbox), ["Hello: waiting"]);
  online = true;
  await outbox.flush();
  assert.deepEqual(states(outbox), ["Hello: sent"]);
  assert.deepEqual(asked.map(({ token }) => token), ["a1", "a1"]);
});

Deno.test("it is stuck while nothing answers, and no longer once something does, or nothing waits", async () => {
  let answer: Answer = () => Promise.reject(new TypeError("failed"));
  const { outbox } = stage((path, body) => answer(path, body));
  const { token } = outbox.add("c1", { text: "Hello" });
  assert.equal(outbox.stuck.value, false, "not tried yet");
  await outbox.flush();
  assert.equal(outbox.stuck.value, true);
  answer = () => problem(429, "Too many");
  await outbox.flush();
  assert.equal(outbox.stuck.value, false, "the server answered");
  answer = () => Promise.reject(new TypeError("failed"));
  await outbox.flush();
  outbox.take(token);
  assert.equal(outbox.stuck.value, false);
  outbox.add("c1", { text: "Again" });
  await outbox.flush();
  answer = accepted;
  await outbox.flush();
  assert.equal(outbox.stuck.value, false);
  assert.deepEqual(states(outbox), ["Again: sent"]);
});

Deno.test("another page takes up what is waiting, and lets go what was sent", async () => {
  const memory = new Memory();
  let online = true;
  const first = stage(() => online ? accepted() : Promise.reject(new TypeError("failed")), memory);
  first.outbox.add("c1", { text: "Sent" });
  await first.outbox.flush();
  online = false;
  first.outbox.add("c1", { text: "Waiting" });
  await first.outbox.flush();
  const second = stage(accepted, memory, "b");
  assert.deepEqual(states(second.outbox), ["Waiting: waiting"]);
  await second.outbox.flush();
  assert.deepEqual(second.asked.map(({ text, token }) => [text, token]), [["Waiting", "a2"]]);
});

Deno.test("messages go out in the order they were written", async () => {
  const { outbox, asked } = stage(accepted);
  for (const text of ["One", "Two", "Three"]) outbox.add("c1", { text });
  await outbox.flush();
  assert.deepEqual(asked.map(({ text }) => text), ["One", "Two", "Three"]);
});

Deno.test("what is written while it sends goes out too", async () => {
  const { outbox, asked } = stage(async () => {
    await Promise.resolve();
    return accepted();
  });
  outbox.add("c1", { text: "One" });
  const sending = outbox.flush();
  outbox.add("c1", { text: "Two" });
  await Promise.all([sending, outbox.flush()]);
  assert.deepEqual(asked.map(({ text }) => text), ["One", "Two"]);
});

Deno.test("a message that begins a conversation makes it once, however often it is tried", async () => {
  let tries = 0;
  const { outbox, asked, begun } = stage((path) => {
    if (path.endsWith("/api/conversations")) return Response.json({ id: "c9" }, { status: 201 });
    return ++tries === 1 ? Promise.reject(new TypeError("failed")) : accepted();
  });
  outbox.add(null, { text: "Hello" });
  await outbox.flush();
  await outbox.flush();
  assert.deepEqual(begun, ["c9"]);
  assert.deepEqual(asked.map(({ path }) => path), [
    "/base/api/conversations",
    "/base/api/conversations/c9/messages",
    "/base/api/conversations/c9/messages",
  ]);
});

Deno.test("a refusal is kept with its sentence, is not tried again by itself, and holds nothing else up", async () => {
  const { outbox, asked } = stage((_path, { text }) => text === "Bad" ? problem(400, "Write less") : accepted());
  const { token } = outbox.add("c1", { text: "Bad" });
  outbox.add("c1", { text: "Good" });
  await outbox.flush();
  await outbox.flush();
  assert.deepEqual(states(outbox), ["Bad: refused", "Good: sent"]);
  assert.equal(outbox.items.value[0]!.problem, "Write less");
  assert.equal(asked.length, 2);
  outbox.retry(token);
  await outbox.flush();
  assert.equal(asked.length, 3);
});

Deno.test("signed out, too fast, or the server's own fault: it waits", async () => {
  for (const status of [401, 429, 500, 503]) {
    const { outbox } = stage(() => problem(status, "Later"));
    outbox.add("c1", { text: "Hello" });
    await outbox.flush();
    assert.deepEqual(states(outbox), ["Hello: waiting"], String(status));
  }
});

Deno.test("a command's answer is handed on, and the message is done", async () => {
  const { outbox, said } = stage(() => Response.json({ fate: "command", text: "All is well" }, { status: 202 }));
  outbox.add("c1", { text: "/diag" });
  await outbox.flush();
  assert.deepEqual(states(outbox), []);
  assert.deepEqual(said, ["All is well"]);
});

Deno.test("take() takes a message back out", () => {
  const { outbox, memory } = stage(accepted);
  const { token } = outbox.add("c1", { text: "Hello" });
  assert.equal(outbox.take(token)?.text, "Hello");
  assert.equal(outbox.take(token), undefined);
  assert.equal(memory.held.size, 0);
});

Deno.test("what is kept and cannot be read is left out", () => {
  const memory = new Memory();
  for (const kept of ["{", "7", '{"a":1}', '[null, 7, {"token":"x"}]']) {
    memory.held.set("malama:/base:outbox:x", kept);
    assert.deepEqual(states(stage(accepted, memory).outbox), []);
  }
});

const IMAGE = { ref: `/images/${"a".repeat(64)}`, name: "a.png", media_type: "image/png", bytes: 10_000_000 };
const FILE = { ref: `/payloads/${"b".repeat(64)}`, name: "b.txt", media_type: "text/plain", bytes: 2_000_000 };

Deno.test("pictures, files, effort and the way it goes ride along, as references, also after a reload", async () => {
  const memory = new Memory();
  const first = stage(() => Promise.reject(new TypeError("failed")), memory);
  const message = { text: "Look", images: [IMAGE], files: [FILE], thinking: false, queue: true } as const;
  first.outbox.add("c1", message);
  await first.outbox.flush();
  const second = stage(accepted, memory, "b");
  await second.outbox.flush();
  assert.deepEqual(second.asked, [{ path: "/base/api/conversations/c1/messages", token: "a1", ...message }]);
  second.outbox.add("c1", { text: "Plain" });
  await second.outbox.flush();
  assert.deepEqual(Object.keys(second.asked[1]!), ["path", "text", "token"]);
});

Deno.test("the model chosen for a new conversation makes it, and is no part of the message", async () => {
  const { outbox, asked } = stage((path) =>
    path.endsWith("/api/conversations") ? Response.json({ id: "c9" }, { status: 201 }) : accepted()
  );
  outbox.add(null, { text: "Hello", model: "ollama:qwen3:8b" });
  await outbox.flush();
  assert.deepEqual(asked, [
    { path: "/base/api/conversations", model: "ollama:qwen3:8b" },
    { path: "/base/api/conversations/c9/messages", text: "Hello", token: "a1" },
  ] as unknown);
});

Deno.test("two tabs keep their own: neither writes over what the other has", async () => {
  const memory = new Memory();
  const offline: Answer = () => Promise.reject(new TypeError("failed"));
  const [one, two] = [stage(offline, memory, "a"), stage(offline, memory, "b")];
  one.outbox.add("c1", { text: "from one" });
  two.outbox.add("c1", { text: "from two" });
  one.outbox.retry("a1");
  two.outbox.edit("b1", "from two, better");
  one.outbox.reload();
  assert.deepEqual(states(one.outbox), ["from one: waiting", "from two, better: waiting"]);
  assert.deepEqual([one.outbox.wrote("a1"), one.outbox.wrote("b1")], [true, false]);
  const third = stage(accepted, memory, "c");
  await third.outbox.flush();
  assert.deepEqual(third.asked.map(({ text }) => text), ["from one", "from two, better"]);
});

Deno.test("an outbox of 10 MB does not break the storage: what it will not take the page holds, and says so", async () => {
  const memory = new Memory();
  const put = memory.setItem;
  memory.setItem = (key, value) => {
    const others = [...memory.held].reduce(
      (sum, [name, held]) => name === key ? sum : sum + name.length + held.length,
      0,
    );
    if (others + key.length + value.length > 5_000_000) throw new DOMException("full", "QuotaExceededError");
    put(key, value);
  };
  let online = false;
  const { outbox, asked } = stage(() => online ? accepted() : Promise.reject(new TypeError("failed")), memory);
  for (let n = 0; n < 5; n++) outbox.add("c1", { text: `${n}${"x".repeat(2_000_000)}` });
  assert.equal(outbox.items.value.length, 5);
  assert.equal(outbox.fleeting.value, true);
  assert.equal(stage(accepted, memory, "b").outbox.items.value.length, 2, "what the storage took outlives the page");
  online = true;
  await outbox.flush();
  assert.deepEqual(asked.map(({ text }) => text?.[0]), ["0", "1", "2", "3", "4"]);
  outbox.confirm(new Set(outbox.items.value.map(({ token }) => token)));
  assert.deepEqual([outbox.items.value.length, memory.held.size, outbox.fleeting.value], [0, 0, false]);
});

Deno.test("edit() changes only what has not gone out, and a refused message then waits again", async () => {
  let answer: Answer = () => problem(400, "Write less");
  const { outbox, asked } = stage((path, body) => answer(path, body));
  const { token } = outbox.add("c1", { text: "Long" });
  await outbox.flush();
  assert.equal(outbox.edit(token, "Short"), true);
  assert.deepEqual([states(outbox), outbox.items.value[0]!.problem], [["Short: waiting"], undefined]);
  let during: boolean | undefined;
  answer = () => {
    during = outbox.edit(token, "Too late");
    assert.equal(outbox.going.value, token);
    return accepted();
  };
  await outbox.flush();
  assert.deepEqual([during, outbox.edit(token, "Later still"), outbox.edit("unknown", "x")], [false, false, false]);
  assert.equal(asked.at(-1)!.text, "Short");
  assert.equal(outbox.going.value, null);
});

Deno.test("a message that was confirmed while it went out does not come back with its answer", async () => {
  const { outbox } = stage((_path, { token }) => {
    outbox.confirm(new Set([token!]));
    return accepted();
  });
  outbox.add("c1", { text: "Hello" });
  await outbox.flush();
  assert.deepEqual(states(outbox), []);
});
