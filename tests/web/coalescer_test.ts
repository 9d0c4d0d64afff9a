import assert from "node:assert/strict";
import fc from "fast-check";
import type { LogOperation } from "../../core/log/mod.ts";
import { Coalescer, FRAME_MS } from "../../web/coalescer.ts";
import { FakeClock } from "./fake_clock.ts";

function delta(at: number, text: string, seq = 1, conversation = "c"): LogOperation {
  return { op: "delta", conversation, seq, at, text };
}

function patch(seq: number, text: string): LogOperation {
  return { op: "patch", conversation: "c", seq, state: "done", data: { text } };
}

const head: LogOperation = { op: "head", conversation: "c", head: "t" };

function start() {
  const clock = new FakeClock();
  const sent: { op: LogOperation; at: number }[] = [];
  const coalescer = new Coalescer((op) => sent.push({ op, at: clock.now() }), clock);
  return { clock, sent, coalescer, ops: () => sent.map(({ op }) => op) };
}

Deno.test("Coalescer sends the first piece at once", () => {
  const { coalescer, ops } = start();
  coalescer.push(delta(0, "a"));
  assert.deepEqual(ops(), [delta(0, "a")]);
});

Deno.test("Coalescer joins what comes within 40 ms", () => {
  const { coalescer, clock, ops } = start();
  for (const [at, letter] of [..."abcdef"].entries()) coalescer.push(delta(at, letter));
  clock.pass(FRAME_MS);
  assert.deepEqual(ops(), [delta(0, "a"), delta(1, "bcdef")]);
});

Deno.test("Coalescer sends at once again after 40 quiet milliseconds, and keeps no timer", () => {
  const { coalescer, clock, ops } = start();
  coalescer.push(delta(0, "a"));
  clock.pass(FRAME_MS);
  assert.equal(clock.waiting, 0);
  coalescer.push(delta(1, "b"));
  assert.deepEqual(ops(), [delta(0, "a"), delta(1, "b")]);
});

Deno.test("Coalescer: a piece that waits is sent before what comes after it", () => {
  const later: LogOperation[] = [
    head,
    { op: "entries", conversation: "c", items: [], last_seq: 2 },
    patch(1, "ab"),
  ];
  for (const operation of later) {
    const { coalescer, ops } = start();
    coalescer.push(delta(0, "a"));
    coalescer.push(delta(1, "b"));
    coalescer.push(operation);
    assert.deepEqual(ops(), [delta(0, "a"), delta(1, "b"), operation], operation.op);
  }
});

Deno.test("Coalescer: a patch of one entry leaves the text of another waiting", () => {
  const { coalescer, ops } = start();
  coalescer.push(delta(0, "a"));
  coalescer.push(delta(1, "b"));
  coalescer.push(patch(2, "x"));
  assert.deepEqual(ops(), [delta(0, "a"), patch(2, "x")]);
});

Deno.test("Coalescer keeps conversations apart", () => {
  const { coalescer, clock, ops } = start();
  coalescer.push(delta(0, "a", 1, "one"));
  coalescer.push(delta(1, "b", 1, "one"));
  coalescer.push(delta(0, "x", 1, "two"));
  coalescer.push({ op: "head", conversation: "two", head: null });
  assert.equal(ops().length, 3);
  clock.pass(FRAME_MS);
  assert.deepEqual(ops().at(-1), delta(1, "b", 1, "one"));
});

Deno.test("Coalescer does not join pieces with a gap or a repeat between them", () => {
  const { coalescer, clock, ops } = start();
  coalescer.push(delta(0, "a"));
  coalescer.push(delta(1, "b"));
  coalescer.push(delta(7, "z"));
  clock.pass(FRAME_MS);
  assert.deepEqual(ops(), [delta(0, "a"), delta(1, "b"), delta(7, "z")]);
});

Deno.test("Coalescer sends nothing of a conversation that was dropped", () => {
  const { coalescer, clock, ops } = start();
  coalescer.push(delta(0, "a"));
  coalescer.push(delta(1, "b"));
  coalescer.drop("c");
  clock.pass(1000);
  assert.deepEqual(ops(), [delta(0, "a")]);
  assert.equal(clock.waiting, 0);
});

Deno.test("Coalescer passes rows of the sidebar through", () => {
  const { coalescer, ops } = start();
  coalescer.push({ op: "conversation_removed", conversation: "c" });
  assert.equal(ops().length, 1);
});

Deno.test("Coalescer: pieces put together are the text, in order, one frame in 40 ms", () => {
  const step = fc.oneof(
    {
      weight: 8,
      arbitrary: fc.record({ seq: fc.constantFrom(1, 2, 3), text: fc.string({ minLength: 1, unit: "binary" }) }),
    },
    { weight: 3, arbitrary: fc.record({ wait: fc.integer({ min: 0, max: 90 }) }) },
    { weight: 1, arbitrary: fc.constant({ head: true as const }) },
  );
  fc.assert(fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
    const { coalescer, clock, sent } = start();
    const texts = new Map<number, string>();
    let heads = 0;
    for (const each of steps) {
      if ("wait" in each) clock.pass(each.wait);
      else if ("head" in each) {
        coalescer.push(head);
        heads++;
        const told = new Map<number, string>();
        for (const { op } of sent) if (op.op === "delta") told.set(op.seq, (told.get(op.seq) ?? "") + op.text);
        assert.deepEqual([...told].sort(), [...texts].sort(), "all text is out before the head moves");
      } else {
        const before = texts.get(each.seq) ?? "";
        coalescer.push(delta(before.length, each.text, each.seq));
        texts.set(each.seq, before + each.text);
      }
    }
    clock.pass(FRAME_MS);
    for (const [seq, text] of texts) {
      const pieces = sent.filter(({ op }) => op.op === "delta" && op.seq === seq);
      let whole = "";
      for (const { op } of pieces) {
        assert.ok(op.op === "delta" && op.at === whole.length);
        whole += op.text;
      }
      assert.equal(whole, text);
      if (heads > 0) continue;
      for (const [at, { at: time }] of pieces.entries()) {
        if (at > 0) assert.ok(time - pieces[at - 1]!.at >= FRAME_MS, "frames are 40 ms apart");
      }
    }
    clock.pass(FRAME_MS);
    assert.equal(clock.waiting, 0);
  }));
});
