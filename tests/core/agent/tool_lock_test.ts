import assert from "node:assert/strict";
import { untilAborted } from "../../../core/agent/tool_lock.ts";

Deno.test("untilAborted() leaves no rejection unhandled when the stop came first", async () => {
  const unhandled: unknown[] = [];
  const listen = (event: PromiseRejectionEvent) => (event.preventDefault(), void unhandled.push(event.reason));
  globalThis.addEventListener("unhandledrejection", listen);
  try {
    const stopped = new DOMException("Stopped", "AbortError");
    const work = (async () => await Promise.reject(new Error("the tool ended too")))();
    await assert.rejects(untilAborted(work, AbortSignal.abort(stopped)), (error) => error === stopped);
    // Rejections are reported once the work at hand is done.
    await new Promise((done) => setTimeout(done, 0));
    assert.deepEqual(unhandled, []);
  } finally {
    globalThis.removeEventListener("unhandledrejection", listen);
  }
});

Deno.test("untilAborted() gives the work, or the stop's reason as soon as it comes", async () => {
  assert.equal(await untilAborted(Promise.resolve(1), new AbortController().signal), 1);
  const stop = new AbortController();
  const waiting = untilAborted(new Promise(() => {}), stop.signal);
  stop.abort(new Error("now"));
  await assert.rejects(waiting, /now/);
});
