import assert from "node:assert/strict";
import { pause } from "../../../core/model/pause.ts";

Deno.test("pause() resolves when its time is over", async () => {
  await pause(1, new AbortController().signal);
});

Deno.test("pause() ends at once when the signal aborts, with its reason", async () => {
  const stop = new AbortController();
  const waiting = pause(600_000, stop.signal);
  stop.abort(new Error("enough"));
  await assert.rejects(waiting, /enough/);
});

Deno.test("pause() rejects at once when the signal had already aborted", async () => {
  await assert.rejects(pause(600_000, AbortSignal.abort(new Error("before"))), /before/);
});
