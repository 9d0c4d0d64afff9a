import assert from "node:assert/strict";
import fc from "fast-check";
import type { ModelEvent, ModelMessage } from "../../../../core/model/mod.ts";
import { CallAssembler } from "../../../../core/model/providers/call_assembler.ts";
import { Outbox } from "../../../../core/model/providers/outbox.ts";
import { question } from "./rig.ts";

function assembler(messages: readonly ModelMessage[] = []): { readonly calls: CallAssembler; readonly out: Outbox } {
  const out = new Outbox();
  return { calls: new CallAssembler(out, question({ messages })), out };
}

function completed(out: Outbox): readonly Extract<ModelEvent, { type: "tool_call" }>[] {
  return out.take().filter((event) => event.type === "tool_call");
}

Deno.test("begin() completes a call that is still open at the same key", () => {
  const { calls, out } = assembler();
  calls.begin(0, "a", "now");
  calls.append(0, '{"x": 1}');
  calls.begin(0, "b", "now");
  assert.deepEqual(completed(out).map((event) => [event.call, event.arguments]), [["a", { x: 1 }]]);
});

Deno.test("rename() announces a call whose name came after its arguments, with all of them", () => {
  const { calls, out } = assembler();
  calls.begin(0, "a", "");
  calls.append(0, '{"x"');
  assert.deepEqual(out.take(), []);
  calls.rename(0, "now");
  calls.append(0, ": 1}");
  calls.complete(0);
  assert.deepEqual(out.take(), [
    { type: "tool_start", call: "a", name: "now" },
    { type: "tool_arguments", call: "a", text: '{"x": 1}' },
    { type: "tool_call", call: "a", name: "now", arguments: { x: 1 } },
  ]);
});

Deno.test("settle() completes only what is a whole object", () => {
  const { calls, out } = assembler();
  calls.begin(0, "a", "now");
  for (const piece of ["{", '"x": {"y"', ": 1}"]) {
    calls.append(0, piece);
    calls.settle(0);
    assert.deepEqual(completed(out), []);
  }
  calls.append(0, "}");
  calls.settle(0);
  assert.deepEqual(completed(out)[0]?.arguments, { x: { y: 1 } });
});

Deno.test("append() drops what comes after the arguments were complete", () => {
  const { calls, out } = assembler();
  calls.begin(0, "a", "now");
  calls.append(0, "{}");
  calls.complete(0);
  out.take();
  calls.append(0, " more");
  calls.complete(0);
  calls.completeAll(false);
  assert.deepEqual(out.take(), []);
});

Deno.test("complete() takes the whole text given at the end only when no piece came before", () => {
  const { calls, out } = assembler();
  calls.begin(0, "a", "now");
  calls.complete(0, '{"whole": true}');
  calls.begin(1, "b", "now");
  calls.append(1, "{}");
  calls.complete(1, "{}");
  assert.deepEqual(completed(out).map((event) => event.arguments), [{ whole: true }, {}]);
});

Deno.test("null and blank arguments are an empty object when complete", () => {
  const { calls, out } = assembler();
  for (const [key, text] of ["", "  ", "null"].entries()) {
    calls.begin(key, `${key}`, "now");
    calls.append(key, text);
  }
  calls.completeAll(false);
  assert.deepEqual(completed(out).map((event) => event.arguments), [{}, {}, {}]);
});

Deno.test("ids given to calls without one differ from those already in the request", () => {
  const earlier: ModelMessage = {
    role: "assistant",
    parts: [
      { type: "tool_call", call: "call_3", name: "now", arguments: {} },
      { type: "tool_call", call: "x", name: "now", arguments: {} },
    ],
  };
  const { calls } = assembler([earlier]);
  const ids = [calls.begin(0, "", "now"), calls.begin(1, "x", "now"), calls.begin(2, "y", "now")];
  assert.equal(new Set([...ids, "call_3", "x"]).size, 5);
  assert.equal(ids[2], "y");
  const { calls: again } = assembler([earlier]);
  assert.deepEqual([again.begin(0, "", "now"), again.begin(1, "x", "now"), again.begin(2, "y", "now")], ids);
});

Deno.test("every call that starts ends exactly once, and a good end holds exactly what was streamed", () => {
  const call = fc.record({ id: fc.constantFrom("", "a", "b"), arguments: fc.dictionary(fc.string(), fc.jsonValue()) });
  fc.assert(fc.property(fc.array(call, { maxLength: 5 }), fc.integer({ min: 1, max: 9 }), fc.nat(60), fc.boolean(), (
    made,
    size,
    stopAt,
    interleaved,
  ) => {
    const { calls, out } = assembler();
    const steps: { readonly key: number; readonly text: string }[] = [];
    const texts = made.map((each) => JSON.stringify(each.arguments));
    const longest = Math.max(0, ...texts.map((text) => Math.ceil(text.length / size)));
    for (let piece = 0; piece < longest; piece++) {
      for (const [key, text] of texts.entries()) {
        const part = text.slice(piece * size, (piece + 1) * size);
        if (part !== "") steps.push({ key, text: part });
      }
    }
    if (!interleaved) steps.sort((a, b) => a.key - b.key);
    for (const [key, each] of made.entries()) calls.begin(key, each.id, "now");
    const sent = made.map(() => "");
    let last: number | undefined;
    for (const { key, text } of steps.slice(0, stopAt)) {
      if (last !== undefined && last !== key) calls.settle(last);
      calls.append(key, text);
      sent[key] += text;
      last = key;
    }
    calls.completeAll(true);
    const events = out.take();
    const starts = events.filter((event) => event.type === "tool_start").map((event) => event.call);
    const ends = events.filter((event) => event.type === "tool_call");
    assert.equal(new Set(starts).size, made.length);
    assert.deepEqual(ends.map((event) => event.call).toSorted(), starts.toSorted());
    for (const [key, start] of starts.entries()) {
      const end = ends.find((event) => event.call === start);
      const whole = sent[key] === texts[key];
      assert.equal(end?.malformed, whole ? undefined : sent[key]);
      if (whole) assert.equal(JSON.stringify(end?.arguments), JSON.stringify(JSON.parse(texts[key] ?? "")));
    }
  }));
});

Deno.test("an id that a provider might refuse later is replaced by one of ours, and its pieces still find their call", () => {
  const { calls, out } = assembler();
  const odd = ["c0<x>", "a b", "\u001b", "x".repeat(65), "名"];
  const ids = odd.map((id, key) => calls.begin(key, id, "now"));
  for (const id of ids) assert.match(id, /^call_\d+$/);
  assert.equal(calls.wireId(0), "c0<x>");
  calls.completeAll(false);
  assert.equal(new Set(completed(out).map((event) => event.call)).size, odd.length);
  assert.equal(assembler().calls.begin(0, "functions.now:0", "now"), "functions.now:0");
});

Deno.test("arguments nested past what a stack holds are malformed, and the text is kept", () => {
  const { calls, out } = assembler();
  const nested = (depth: number) => `{"a":${"[".repeat(depth - 1)}${"]".repeat(depth - 1)}}`;
  calls.begin(0, "a", "now");
  calls.append(0, nested(200));
  calls.begin(1, "b", "now");
  calls.append(1, nested(20_000));
  calls.completeAll(false);
  const [fine, deep] = completed(out);
  assert.equal(fine?.malformed, undefined);
  assert.equal(deep?.malformed, nested(20_000));
  assert.equal(deep?.arguments, nested(20_000));
});

Deno.test("the work of a call grows with the length of its arguments, however often it is asked whether they are whole", () => {
  const { calls } = assembler();
  calls.begin(0, "", "now");
  calls.append(0, '{"x":"');
  const began = performance.now();
  for (let piece = 0; piece < 50_000; piece++) {
    calls.append(0, "1}".repeat(10));
    assert.equal(calls.isWhole(0), false);
  }
  // Parsing anew each time takes minutes.
  assert.ok(performance.now() - began < 10_000);
});
