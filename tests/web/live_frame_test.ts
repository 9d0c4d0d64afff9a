import assert from "node:assert/strict";
import fc from "fast-check";
import type { Entry, LogOperation } from "../../core/log/mod.ts";
import { MAX_FRAME_LENGTH, readFrame, writeFrames } from "../../web/live_frame.ts";

Deno.test("readFrame() reads what a client may say and ignores fields it does not know", () => {
  assert.deepEqual(readFrame('{"op":"watch","conversation":"c","after":7,"colour":"red"}'), {
    op: "watch",
    conversation: "c",
    after: 7,
  });
  assert.deepEqual(readFrame('{"op":"watch","conversation":"c"}'), { op: "watch", conversation: "c", after: 0 });
  assert.deepEqual(readFrame('{"op":"ping"}'), { op: "ping" });
});

Deno.test("readFrame() says what is wrong in a sentence", () => {
  const wrong: unknown[] = [
    "",
    "{",
    "null",
    "7",
    "[]",
    "{}",
    '{"op":"delete_everything"}',
    '{"op":7}',
    '{"op":"watch"}',
    '{"op":"watch","conversation":7}',
    '{"op":"watch","conversation":"c","after":-1}',
    '{"op":"watch","conversation":"c","after":"1"}',
    '{"op":"watch","conversation":"c","after":1.5}',
    new ArrayBuffer(3),
    `"${"x".repeat(MAX_FRAME_LENGTH)}"`,
  ];
  for (const data of wrong) {
    const frame = readFrame(data);
    assert.equal(frame.op, "bad", String(data).slice(0, 60));
    assert.ok(frame.op === "bad" && frame.detail.length > 10 && !frame.detail.includes("undefined"));
  }
});

Deno.test("readFrame() never throws", () => {
  fc.assert(fc.property(fc.oneof(fc.string(), fc.json(), fc.anything()), (data) => {
    assert.ok(readFrame(data).op);
  }));
});

function entry(seq: number, text: string): Entry {
  return {
    conversation: "c",
    seq,
    turn: null,
    run: null,
    parent_run: null,
    kind: "text",
    state: "done",
    at: "2026-01-01T00:00:00Z",
    data: { text },
  };
}

Deno.test("writeFrames() writes a short operation as one frame", () => {
  const operation: LogOperation = {
    op: "entries",
    conversation: "c",
    items: [entry(1, "a"), entry(2, 'with "quotes"')],
    last_seq: 2,
  };
  assert.deepEqual(writeFrames(operation).map((frame) => JSON.parse(frame)), [operation]);
  const empty: LogOperation = { op: "entries", conversation: "c", items: [], last_seq: 9 };
  assert.deepEqual(writeFrames(empty).map((frame) => JSON.parse(frame)), [empty]);
});

Deno.test("writeFrames() cuts a long catching up so that any piece may be the last one held", () => {
  const sizes = fc.array(fc.integer({ min: 0, max: 120_000 }), { minLength: 2, maxLength: 20 });
  fc.assert(
    fc.property(sizes, fc.nat(25), (lengths, after) => {
      const items = lengths.map((length, at) => entry(at + 1, "x".repeat(length)));
      const last_seq = Math.max(after, items.length);
      const frames = writeFrames({ op: "entries", conversation: "c", items, last_seq }, after)
        .map((frame) => JSON.parse(frame));
      assert.deepEqual(frames.flatMap((frame) => frame.items), items);
      assert.equal(frames.at(-1).last_seq, last_seq);
      for (const frame of frames.slice(0, -1)) {
        assert.equal(frame.last_seq, Math.max(after, frame.items.at(-1).seq));
        assert.ok(frame.last_seq <= last_seq);
      }
    }),
    { numRuns: 40 },
  );
});
