import assert from "node:assert/strict";
import { EventQueue } from "../../cli/event_queue.ts";

async function drain<T>(queue: EventQueue<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const event of queue) all.push(event);
  return all;
}

Deno.test("EventQueue gives what was pushed in order, then ends", async () => {
  const queue = new EventQueue<number>();
  queue.push(1);
  queue.push(2);
  queue.end();
  assert.deepEqual(await drain(queue), [1, 2]);
});

Deno.test("EventQueue waits for what is not there yet", async () => {
  const queue = new EventQueue<number>();
  const all = drain(queue);
  await Promise.resolve();
  queue.push(1);
  await Promise.resolve();
  queue.push(2);
  queue.end();
  assert.deepEqual(await all, [1, 2]);
});

Deno.test("EventQueue takes nothing after its end", async () => {
  const queue = new EventQueue<number>();
  queue.end();
  queue.push(1);
  assert.deepEqual(await drain(queue), []);
});
