import assert from "node:assert/strict";
import fc from "fast-check";
import { type Entry, type EntryData, type EntryKind, foldContext, INTERRUPTED } from "../../../../core/log/mod.ts";

let seq = 0;
function entry<K extends EntryKind>(kind: K, data: EntryData[K], turn = "T1", run: string | null = null): Entry {
  const frame = { conversation: "C", seq: ++seq, turn, run, parent_run: null, at: "2026-01-01T00:00:00Z" };
  return { ...frame, kind, state: "done", data } as Entry;
}
const user = (text: string, turn = "T1") => entry("user", { text, images: [], from: "person" }, turn);
const text = (words: string, turn = "T1") => entry("text", { text: words }, turn);
const round = (turn = "T1") =>
  entry("round", { kind: "plain", model: "m", request_bytes: 1, ms: 1, stop_reason: "stop" }, turn);
const tool = (call: string, result?: string, turn = "T1") =>
  entry("tool", {
    call,
    name: "add",
    toolset: "sums",
    arguments: { a: 1 },
    status: result === undefined ? "running" : "done",
    ...(result === undefined ? {} : { result }),
  }, turn);

Deno.test("foldContext() puts results after the round that called, in the order of the calls", () => {
  const context = foldContext([
    user("hi"),
    text("let me see"),
    tool("1", "one"),
    tool("2", "two"),
    round(),
    text("done"),
  ]);
  assert.deepEqual(context.map((message) => message.role === "tool" ? `tool ${message.result}` : message.role), [
    "user",
    "assistant",
    "tool one",
    "tool two",
    "assistant",
  ]);
});

Deno.test("foldContext() answers a call that never got its result", () => {
  const context = foldContext([user("hi"), tool("1"), user("again", "T2")]);
  assert.deepEqual(context[2], {
    role: "tool",
    call: "1",
    name: "add",
    result: INTERRUPTED,
    failed: true,
    images: [],
  });
});

Deno.test("foldContext() keeps a signature with its part", () => {
  const signature = { provider: "anthropic", data: "s" };
  const context = foldContext([user("hi"), entry("thinking", { text: "hm", signature }), text("x"), round()]);
  assert.deepEqual(context[1], {
    role: "assistant",
    parts: [{ type: "thinking", text: "hm", signature }, { type: "text", text: "x" }],
  });
});

Deno.test("foldContext() shows a sub-agent only its own entries", () => {
  const own = entry("user", { text: "task", images: [], from: "assistant" }, "T1", "R1");
  assert.equal(foldContext([user("hi"), own, text("x")], "R1").length, 1);
  assert.equal(foldContext([user("hi"), own, text("x")]).length, 2);
});

Deno.test("foldContext() leaves out what no model is sent", () => {
  const notice = entry("notice", { text: "stopped", level: "info" });
  assert.equal(foldContext([user("hi"), notice, text("x"), round(), notice]).length, 2);
});

Deno.test("every call has exactly one adjacent result, in order, wherever a turn is cut", () => {
  const step = fc.oneof(
    fc.constant("text" as const),
    fc.constant("round" as const),
    fc.constant("user" as const),
    fc.record({ call: fc.uuid(), answered: fc.boolean() }),
  );
  fc.assert(fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
    let turn = 0;
    const entries = steps.map((each) => {
      if (each === "user") return user("u", `T${++turn}`);
      if (each === "text") return text("t", `T${turn}`);
      if (each === "round") return round(`T${turn}`);
      return tool(each.call, each.answered ? "r" : undefined, `T${turn}`);
    });
    const context = foldContext(entries);
    context.forEach((message, index) => {
      if (message.role !== "assistant") return;
      const calls = message.parts.flatMap((part) => part.type === "tool_call" ? [part.call] : []);
      const results = context.slice(index + 1, index + 1 + calls.length);
      assert.deepEqual(results.map((result) => result.role === "tool" && result.call), calls);
    });
    const results = context.filter((message) => message.role === "tool").length;
    assert.equal(results, entries.filter((each) => each.kind === "tool").length);
  }));
});

Deno.test("a longer log folds to a longer context that begins the same", () => {
  const entries = [user("a"), text("b"), round(), user("c", "T2"), tool("1", "r", "T2"), round("T2"), text("d", "T2")];
  const whole = foldContext(entries);
  for (const end of [3, 6]) {
    const part = foldContext(entries.slice(0, end));
    assert.deepEqual(whole.slice(0, part.length), part);
  }
});

Deno.test("foldContext() gives a person's delivered words bare and an agent's behind a marker, each after the round", () => {
  const inbox = (n: number, from: string, predates?: boolean) =>
    entry("inbox", { text: `m${n}`, from, to: "assistant", ...(predates ? { predates } : {}) });
  const folded = foldContext([
    entry("user", { text: "hi", images: [], from: "person" }),
    entry("text", { text: "well" }),
    inbox(3, "person"),
    inbox(4, "coder#1"),
    inbox(5, "coder#1", true),
    entry("undelivered", { text: "never", from: "person", to: "assistant" }),
  ]);
  const said = folded.flatMap((message) => message.role === "user" ? [message.text] : []);
  assert.deepEqual(said, [
    "hi",
    "m3",
    "[message from coder#1]\nm4",
    "[message from coder#1, sent before you began]\nm5",
  ]);
  assert.deepEqual(folded.map(({ role }) => role), ["user", "assistant", "user", "user", "user"]);
});

const card = (task: string) => entry("run", { agent: "coder", task, status: "running", model: "m" }, "T1", "R");
const worked = (call: string) => [
  entry("tool", { call, name: "add", toolset: "s", arguments: {}, status: "done", result: call }, "T1", "R"),
  entry("round", { kind: "plain", model: "m", request_bytes: 1, ms: 1, stop_reason: "stop" }, "T1", "R"),
];

Deno.test("a sub-agent's context begins with the task its card holds, and has nothing of its caller's", () => {
  const entries = [user("secret"), text("I ask"), card("find it"), ...worked("1"), round()];
  const folded = foldContext(entries, "R");
  assert.deepEqual(folded.map(({ role }) => role), ["user", "assistant", "tool"]);
  assert.deepEqual(folded[0], { role: "user", text: "find it", images: [] });
  assert.ok(!JSON.stringify(foldContext(entries)).includes("find it"), "nor has its caller the task again");
});

Deno.test("a compaction leaves out its run's whole rounds and no other's; a later one stands for an earlier one", () => {
  const first = worked("1");
  const second = worked("2");
  const compaction = (summary: string, upto: number) =>
    entry("compaction", { summary, upto, tokens_before: 9, tokens_after: 1 }, "T1", "R");
  const said = [user("hi"), card("find it"), ...first];
  const one = compaction("left 1", first[1]!.seq);
  const two = compaction("left 2", second[1]!.seq);
  const texts = (entries: readonly Entry[]) =>
    foldContext(entries, "R").map((message) => message.role === "user" ? message.text : message.role);
  assert.deepEqual(texts([...said, ...second, one]), ["find it", "left 1", "assistant", "tool"]);
  assert.deepEqual(texts([...said, ...second, one, two, ...worked("3")]), ["find it", "left 2", "assistant", "tool"]);
  assert.deepEqual(foldContext([...said, one]).length, 1, "the entry agent's own is as it was");
});
