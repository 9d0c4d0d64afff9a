import assert from "node:assert/strict";
import { Feed } from "../../../core/log/mod.ts";

const head = (turn: string) => ({ op: "head", conversation: "C", head: turn }) as const;

Deno.test("announce() tells every listener, in order, until it leaves", () => {
  const feed = new Feed();
  const heard: string[] = [];
  const leave = feed.subscribe((operation) => heard.push(`a ${operation.op === "head" && operation.head}`));
  feed.subscribe((operation) => heard.push(`b ${operation.op === "head" && operation.head}`));
  feed.announce(head("1"));
  assert.equal(feed.size, 2);
  leave();
  assert.equal(feed.size, 1);
  feed.announce(head("2"));
  assert.deepEqual(heard, ["a 1", "b 1", "b 2"]);
});

Deno.test("a listener that throws does not keep the others from hearing", () => {
  const feed = new Feed();
  const errors: unknown[] = [];
  const onError = (event: ErrorEvent) => {
    event.preventDefault();
    errors.push(event.error);
  };
  globalThis.addEventListener("error", onError);
  const heard: string[] = [];
  feed.subscribe(() => {
    throw new Error("deaf");
  });
  feed.subscribe((operation) => heard.push(operation.op));
  feed.announce(head("1"));
  globalThis.removeEventListener("error", onError);
  assert.deepEqual(heard, ["head"]);
  assert.equal(errors.length, 1);
});
