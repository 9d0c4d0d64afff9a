import assert from "node:assert/strict";
import { turnOfRow } from "../../../core/log/mod.ts";

const ROW = {
  id: "T",
  conversation: "C",
  n: 1,
  parent: null,
  origin: "person",
  status: "done",
  agent: "assistant",
  model: "demo:tour",
  thinking: null,
  usage: null,
  failure: null,
  token: null,
  started_at: "2026-01-01T00:00:00.000Z",
  ended_at: null,
};

Deno.test("turnOfRow() reads a turn whose usage or thinking cannot be read without them", () => {
  for (const damaged of ["{", "5", '{"calls":1}', '{"calls":null}', ""]) {
    const turn = turnOfRow({ ...ROW, usage: damaged, thinking: "nonsense" });
    assert.deepEqual(turn, { ...ROW, usage: null, thinking: null });
  }
});

Deno.test("turnOfRow() refuses a row that is no turn", () => {
  assert.throws(() => turnOfRow({ ...ROW, status: "nonsense" }));
  assert.throws(() => turnOfRow({ ...ROW, id: null }));
});
