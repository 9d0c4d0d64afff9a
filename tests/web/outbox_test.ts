import assert from "node:assert/strict";
import fc from "fast-check";
import { type FrameSink, MAX_BACKLOG_BYTES, Outbox } from "../../web/outbox.ts";
import { FakeClock } from "./fake_clock.ts";

/** A socket whose reader takes what it is told to take. */
class FakeSink implements FrameSink {
  bufferedAmount = 0;
  readonly sent: string[] = [];
  send(frame: string): void {
    this.sent.push(frame);
    this.bufferedAmount += frame.length;
  }
  take(bytes: number): void {
    this.bufferedAmount = Math.max(0, this.bufferedAmount - bytes);
  }
}

function start() {
  const clock = new FakeClock();
  const sink = new FakeSink();
  let dropped = 0;
  const outbox = new Outbox(sink, clock, () => dropped++);
  return { clock, sink, outbox, dropped: () => dropped };
}

const KIB = 1024;

Deno.test("Outbox sends at once while the reader keeps up", () => {
  const { outbox, sink, clock } = start();
  outbox.push("a");
  outbox.push("b");
  assert.deepEqual(sink.sent, ["a", "b"]);
  assert.equal(clock.waiting, 0);
});

Deno.test("Outbox drops a reader past 1 MiB, once", () => {
  const { outbox, sink, dropped } = start();
  const frame = "x".repeat(KIB);
  for (let count = 0; count < MAX_BACKLOG_BYTES / KIB; count++) outbox.push(frame);
  assert.equal(dropped(), 0);
  outbox.push(frame);
  assert.equal(dropped(), 1);
  const before = sink.sent.length;
  outbox.push(frame);
  assert.equal(dropped(), 1);
  assert.equal(sink.sent.length, before);
});

Deno.test("Outbox hands a long catching up over piece by piece and drops nobody who reads", () => {
  const { outbox, sink, clock, dropped } = start();
  const piece = "x".repeat(256 * KIB);
  for (let count = 0; count < 40; count++) outbox.push(piece, true);
  outbox.push("live");
  assert.ok(sink.bufferedAmount <= 600 * KIB, "only a little is in the socket");
  for (let count = 0; count < 60; count++) {
    sink.take(300 * KIB);
    clock.pass(10);
  }
  assert.equal(dropped(), 0);
  assert.equal(sink.sent.length, 41);
  assert.equal(sink.sent.at(-1), "live");
});

Deno.test("Outbox drops a reader who stopped in the middle of catching up", () => {
  const { outbox, clock, dropped } = start();
  const piece = "x".repeat(256 * KIB);
  for (let count = 0; count < 10; count++) outbox.push(piece, true);
  clock.pass(19_000);
  assert.equal(dropped(), 0);
  clock.pass(2_000);
  assert.equal(dropped(), 1);
  assert.equal(clock.waiting, 0);
});

Deno.test("Outbox counts live frames behind a catching up", () => {
  const { outbox, dropped } = start();
  for (let count = 0; count < 10; count++) outbox.push("x".repeat(256 * KIB), true);
  for (let count = 0; count < KIB && dropped() === 0; count++) outbox.push("y".repeat(KIB));
  assert.equal(dropped(), 0);
  outbox.push("y".repeat(KIB));
  assert.equal(dropped(), 1);
});

Deno.test("Outbox does not drop for one frame that is large by itself", () => {
  const { outbox, sink, clock, dropped } = start();
  outbox.push("x".repeat(3 * MAX_BACKLOG_BYTES));
  outbox.push("y");
  outbox.push("z");
  assert.equal(dropped(), 0);
  sink.take(Infinity);
  clock.pass(10);
  assert.deepEqual(sink.sent.slice(1), ["y", "z"]);
});

Deno.test("Outbox is quiet after close()", () => {
  const { outbox, sink, clock } = start();
  for (let count = 0; count < 5; count++) outbox.push("x".repeat(256 * KIB), true);
  outbox.close();
  sink.take(Infinity);
  const before = sink.sent.length;
  clock.pass(1000);
  outbox.push("more");
  assert.equal(sink.sent.length, before);
  assert.equal(clock.waiting, 0);
});

Deno.test("Outbox keeps the order of live and bulk frames", () => {
  const step = fc.oneof(
    fc.record({ size: fc.integer({ min: 1, max: 400 * KIB }), isBulk: fc.boolean() }),
    fc.record({ take: fc.integer({ min: 0, max: 900 * KIB }) }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const { outbox, sink, clock, dropped } = start();
      let pushed = 0;
      for (const each of steps) {
        if ("take" in each) {
          sink.take(each.take);
          clock.pass(10);
        } else if (dropped() === 0) outbox.push(String(pushed++).padEnd(each.size), each.isBulk);
      }
      if (dropped() === 0) {
        for (let count = 0; count < 200; count++) {
          sink.take(Infinity);
          clock.pass(10);
        }
        assert.equal(sink.sent.length, pushed);
      }
      assert.deepEqual(sink.sent.map((frame) => Number(frame.slice(0, 6))), sink.sent.map((_, at) => at));
    }),
    { numRuns: 50 },
  );
});
