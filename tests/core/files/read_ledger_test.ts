import assert from "node:assert/strict";
import { type FileState, ReadLedger } from "../../../core/files/read_ledger.ts";

const me = { conversation: "C", agent: "assistant" };
const state: FileState = { size: 10, modified: 1000, changed: 1000, inode: 7 };

Deno.test("a file is known whole once its windows leave no gap, in order", () => {
  const ledger = new ReadLedger();
  assert.equal(ledger.knowledge(me, "/a", state), "none");
  ledger.note(me, "/a", state, { from: 1, next: 11 });
  assert.equal(ledger.knowledge(me, "/a", state), "part");
  ledger.note(me, "/a", state, { from: 21, next: Infinity });
  assert.equal(ledger.knowledge(me, "/a", state), "part", "lines 11 to 20 were not shown");
  ledger.note(me, "/a", state, { from: 11, next: 21 });
  ledger.note(me, "/a", state, { from: 15, next: Infinity });
  assert.equal(ledger.knowledge(me, "/a", state), "whole");
  ledger.note(me, "/a", state, { from: 1, next: 2 });
  assert.equal(ledger.knowledge(me, "/a", state), "whole", "reading again forgets nothing");
});

Deno.test("a file that changed in any way is not known any more (T-149)", () => {
  const ledger = new ReadLedger();
  ledger.note(me, "/a", state, { from: 1, next: Infinity });
  for (const change of [{ size: 11 }, { modified: 1001 }, { changed: 1001 }, { inode: 8 }]) {
    assert.equal(ledger.knowledge(me, "/a", { ...state, ...change }), "stale");
  }
  ledger.note(me, "/a", { ...state, size: 11 }, { from: 5, next: Infinity });
  assert.equal(
    ledger.knowledge(me, "/a", { ...state, size: 11 }),
    "part",
    "what was read of the old one does not count",
  );
});

Deno.test("what one agent read in one conversation is not known to others", () => {
  const ledger = new ReadLedger();
  ledger.noteWritten(me, "/a", state);
  assert.equal(ledger.knowledge(me, "/a", state), "whole");
  assert.equal(ledger.knowledge({ ...me, agent: "coder" }, "/a", state), "none");
  assert.equal(ledger.knowledge({ ...me, conversation: "D" }, "/a", state), "none");
});

Deno.test("the last thousand readings are remembered; the oldest are to be read again", () => {
  const ledger = new ReadLedger();
  for (let n = 0; n <= 1000; n++) ledger.noteWritten(me, `/${n}`, state);
  assert.equal(ledger.knowledge(me, "/0", state), "none");
  assert.equal(ledger.knowledge(me, "/1", state), "whole");
});
