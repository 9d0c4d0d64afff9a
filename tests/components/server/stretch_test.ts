import assert from "node:assert/strict";
import { FIRST_ENTRIES, placeIn, readStretch } from "../../../components/server/stretch.ts";
import type { ConversationDetail } from "../../../core/conversation/mod.ts";
import type { Entry, LogReader } from "../../../core/log/mod.ts";
import { CONVERSATION, entry, turn } from "../../core/log/folds/entries.ts";

/** So many turns of so many entries each, the message first. */
function logOf(turns: number, each: number) {
  const items: Entry[] = [];
  for (let n = 0; n < turns; n++) {
    for (let k = 0; k < each; k++) {
      const seq = items.length + 1;
      const data = { text: `${seq}`, images: [], from: "person" };
      const more = { turn: `t${n}` };
      items.push(k === 0 ? entry(seq, "user", data, more) : entry(seq, "text", { text: `${seq}` }, more));
    }
  }
  const reader: Pick<LogReader, "entries" | "entriesOfTurns"> = {
    entries: (_id, { after = 0, before = Infinity, limit = 500 } = {}) => {
      const all = items.filter(({ seq }) => seq > after && seq < before);
      const page = after > 0 ? all.slice(0, limit) : all.slice(-limit);
      return Promise.resolve({ items: page, last_seq: items.length });
    },
    entriesOfTurns: (_id, ids) => Promise.resolve(items.filter((one) => ids.includes(one.turn!))),
  };
  const path = Array.from({ length: turns }, (_, n) => turn(`t${n}`, { n: n + 1, parent: n ? `t${n - 1}` : null }));
  return { items, reader: reader as LogReader, detail: { id: CONVERSATION, path } as unknown as ConversationDetail };
}

async function seqs(turns: number, each: number, query: string) {
  const { reader, detail } = logOf(turns, each);
  const stretch = await readStretch(reader, detail, placeIn(new URLSearchParams(query)));
  const shown = stretch.entries.items.map(({ seq }) => seq);
  const dense = shown.every((seq, index) => index === 0 || seq === shown[index - 1]! + 1);
  assert.ok(dense, "one stretch without a hole");
  return { ...stretch, shown };
}

Deno.test("placeIn() takes whole numbers from 1; anything else is the end", () => {
  assert.deepEqual(placeIn(new URLSearchParams("at=7&before=3")), { kind: "at", seq: 7 });
  for (const query of ["", "at=", "at=0", "at=-1", "at=1.5", "before=x", "after=1e99"]) {
    assert.deepEqual(placeIn(new URLSearchParams(query)), { kind: "end" }, query);
  }
});

Deno.test("a short conversation is there whole, whatever is asked for", async () => {
  for (const query of ["", "at=5", "at=99"]) {
    const { shown, older, newer } = await seqs(5, 2, query);
    assert.deepEqual([shown.length, older, newer], [10, null, null], query);
  }
});

Deno.test("the end of a long conversation begins with a turn's message", async () => {
  const { shown, older, newer } = await seqs(101, 3, "");
  assert.ok(shown.length >= FIRST_ENTRIES && (shown[0]! - 1) % 3 === 0);
  assert.deepEqual([shown.at(-1), older, newer], [303, shown[0], null]);
});

Deno.test("around an entry there is something before and after it, and it is said which it is", async () => {
  const { shown, older, newer, at } = await seqs(300, 2, "at=301");
  assert.ok(shown[0]! < 301 && shown.at(-1)! > 301);
  assert.deepEqual([older, newer, at], [shown[0], shown.at(-1), 301]);
});

Deno.test("what ends inside the last turn is read to its end", async () => {
  const { shown, newer } = await seqs(1, 900, "at=10");
  assert.deepEqual([shown.length, newer], [900, null]);
});

Deno.test("pages before and after an entry join each other", async () => {
  const before = await seqs(300, 2, "before=301");
  assert.deepEqual([before.shown.at(-1), before.newer], [300, 300]);
  const after = await seqs(300, 2, "after=300");
  assert.ok(after.shown.includes(301) && after.shown[0]! <= 300);
});
