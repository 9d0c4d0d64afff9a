import assert from "node:assert/strict";
import fc from "fast-check";
import type { Entry, LogOperation } from "../../../../core/log/entry.ts";
import {
  cursorOf,
  emptyTranscript,
  entryOf,
  foldEntries,
  foldOperation,
  foldPage,
  foldPath,
  isRunning,
  looseEntries,
  type RunBlock,
  type Transcript,
} from "../../../../core/log/folds/transcript.ts";
import { CONVERSATION, entry, turn } from "./entries.ts";

const PATH = [turn("t1"), turn("t2", { parent: "t1", n: 2 })];

function started(...items: Entry[]): Transcript {
  return foldPage(foldPath(emptyTranscript(CONVERSATION), PATH), { items, last_seq: items.at(-1)?.seq ?? 0 });
}

function announce(...items: Entry[]): LogOperation {
  return { op: "entries", conversation: CONVERSATION, items, last_seq: Math.max(...items.map((item) => item.seq)) };
}

function delta(seq: number, at: number, text: string): LogOperation {
  return { op: "delta", conversation: CONVERSATION, seq, at, text };
}

function textOf(transcript: Transcript, seq: number): string {
  const held = entryOf(transcript, seq);
  assert.ok(held && (held.kind === "text" || held.kind === "thinking"));
  return held.data.text;
}

const open = (seq: number, text: string) => entry(seq, "text", { text }, { state: "open" });

/* ---------------------------------------------------------------- text that grows */

Deno.test("foldOperation() appends a delta to the open entry it names", () => {
  const transcript = foldOperation(started(open(1, "One")), delta(1, 3, " two"));
  assert.equal(textOf(transcript, 1), "One two");
  assert.equal(transcript.needs, null);
});

Deno.test("foldOperation() draws a repeated delta once, and only the new end of one that overlaps", () => {
  let transcript = foldOperation(started(open(1, "One")), delta(1, 3, " two"));
  const again = foldOperation(transcript, delta(1, 3, " two"));
  assert.equal(again, transcript);
  transcript = foldOperation(transcript, delta(1, 4, "two three"));
  assert.equal(textOf(transcript, 1), "One two three");
});

Deno.test("foldOperation() marks a delta that is ahead as a gap and does not draw it", () => {
  const transcript = foldOperation(
    started(entry(1, "user", { text: "Hi", images: [], from: "person" }), open(2, "a")),
    {
      op: "delta",
      conversation: CONVERSATION,
      seq: 2,
      at: 5,
      text: "f",
    },
  );
  assert.equal(textOf(transcript, 2), "a");
  assert.deepEqual(transcript.gaps, [2]);
  assert.equal(transcript.needs, "resync");
  assert.equal(cursorOf(transcript), 1);
});

Deno.test("foldPage() closes a gap with the entry as the server has it", () => {
  const gap = foldOperation(started(open(1, "a")), delta(1, 5, "f"));
  const healed = foldPage(gap, { items: [open(1, "abcdef")], last_seq: 1 });
  assert.equal(textOf(healed, 1), "abcdef");
  assert.equal(healed.needs, null);
  assert.equal(cursorOf(healed), 1);
});

Deno.test("foldOperation() does not let an open entry that arrives late hide a gap", () => {
  let transcript = foldOperation(started(open(1, "")), delta(2, 4, "late"));
  assert.deepEqual(transcript.gaps, [2]);
  transcript = foldOperation(transcript, announce(open(2, "")));
  assert.equal(transcript.needs, "resync");
  transcript = foldOperation(transcript, {
    op: "patch",
    conversation: CONVERSATION,
    seq: 2,
    state: "done",
    data: { text: "not late" },
  });
  assert.equal(transcript.needs, null);
});

Deno.test("foldOperation() never changes a done entry", () => {
  const transcript = started(entry(1, "text", { text: "Done" }));
  assert.equal(foldOperation(transcript, delta(1, 4, " and more")), transcript);
  assert.equal(foldOperation(transcript, announce(open(1, "Done, longer"))).turns[0]!.entries[0]!.state, "done");
  const patch = { op: "patch", conversation: CONVERSATION, seq: 1, state: "open", data: { text: "" } } as const;
  assert.equal(textOf(foldOperation(transcript, patch), 1), "Done");
});

Deno.test("foldOperation() does not go back to an older, shorter text", () => {
  const transcript = foldOperation(started(open(1, "One two")), announce(open(1, "One")));
  assert.equal(textOf(transcript, 1), "One two");
});

Deno.test("foldOperation() moves a tool call forward and never back", () => {
  const call = { call: "c1", name: "now", toolset: "time", arguments: {} };
  const running = entry(1, "tool", { ...call, status: "running" }, { state: "open" });
  const waiting = entry(1, "tool", { ...call, status: "waiting" }, { state: "open" });
  const transcript = foldOperation(started(running), announce(waiting));
  assert.equal((entryOf(transcript, 1) as Entry<"tool">).data.status, "running");
  const done = foldOperation(transcript, {
    op: "patch",
    conversation: CONVERSATION,
    seq: 1,
    state: "done",
    data: { ...call, status: "done", result: "noon" },
  });
  assert.equal((entryOf(done, 1) as Entry<"tool">).data.result, "noon");
});

/* ---------------------------------------------------------------- order and gaps */

Deno.test("foldOperation() takes new entries in order and remembers the last seq", () => {
  const transcript = foldOperation(started(entry(1, "text", { text: "a" })), announce(entry(2, "text", { text: "b" })));
  assert.equal(transcript.lastSeq, 2);
  assert.equal(transcript.needs, null);
  assert.deepEqual(transcript.turns[0]!.blocks.map((block) => block.seq), [1, 2]);
});

Deno.test("foldOperation() sees that an entry was skipped", () => {
  const transcript = foldOperation(started(entry(1, "text", { text: "a" })), announce(entry(4, "text", { text: "d" })));
  assert.deepEqual(transcript.gaps, [2, 3]);
  assert.equal(cursorOf(transcript), 1);
  const healed = foldPage(transcript, { items: [entry(2, "text", { text: "b" })], last_seq: 4 });
  assert.equal(healed.needs, null, "3 was deleted: a page that covers it says so");
});

Deno.test("foldPage() takes older entries without moving the cursor", () => {
  const transcript = foldPage(started(entry(9, "text", { text: "new" })), {
    items: [entry(3, "text", { text: "old" })],
    last_seq: 3,
  });
  assert.equal(transcript.lastSeq, 9);
  assert.deepEqual(transcript.turns[0]!.entries.map((item) => item.seq), [3, 9]);
});

Deno.test("foldOperation() ignores what is said about entries older than the page", () => {
  const transcript = started(entry(9, "text", { text: "new" }));
  assert.equal(foldOperation(transcript, delta(3, 0, "x")), transcript);
});

Deno.test("foldOperation() ignores other conversations, unknown operations and unknown kinds", () => {
  const transcript = started(entry(1, "text", { text: "a" }));
  assert.equal(foldOperation(transcript, { ...delta(1, 1, "b"), conversation: "other" } as LogOperation), transcript);
  assert.equal(foldOperation(transcript, { op: "weather" } as unknown as LogOperation), transcript);
  const strange = { ...entry(2, "text", { text: "?" }), kind: "hologram" } as unknown as Entry;
  const after = foldOperation(transcript, announce(strange));
  assert.equal(after.turns[0], transcript.turns[0]);
  assert.equal(after.lastSeq, 2);
});

/* ---------------------------------------------------------------- turns and branches */

Deno.test("foldOperation() puts a turn that follows the head at the end of the path", () => {
  const started = turn("t3", { parent: "t2", n: 3, status: "running", ended_at: null });
  const transcript = foldOperation(foldPath(emptyTranscript(CONVERSATION), PATH), {
    op: "turn",
    conversation: CONVERSATION,
    turn: started,
  });
  assert.deepEqual(transcript.turns.map((view) => view.turn.id), ["t1", "t2", "t3"]);
  assert.equal(transcript.head, "t3");
  assert.equal(isRunning(transcript), true);
});

Deno.test("foldOperation() shows the other branch when the head moves, and keeps the first one", () => {
  let transcript = started(
    entry(1, "text", { text: "first" }),
    entry(2, "text", { text: "old answer" }, { turn: "t2" }),
  );
  const version = turn("t9", { parent: "t1", n: 2, origin: "rerun" });
  transcript = foldOperation(transcript, { op: "turn", conversation: CONVERSATION, turn: version });
  assert.deepEqual(transcript.turns.map((view) => view.turn.id), ["t1", "t2"]);
  transcript = foldOperation(transcript, announce(entry(3, "text", { text: "new answer" }, { turn: "t9" })));
  transcript = foldOperation(transcript, { op: "head", conversation: CONVERSATION, head: "t9" });
  assert.deepEqual(transcript.turns.map((view) => view.turn.id), ["t1", "t9"]);
  assert.equal(textOf(transcript, 3), "new answer");
  assert.deepEqual(transcript.turns[1]!.turn.siblings, ["t2", "t9"]);
  transcript = foldOperation(transcript, { op: "head", conversation: CONVERSATION, head: "t2" });
  assert.equal(transcript.turns[1]!.blocks[0]!.seq, 2);
  assert.deepEqual(transcript.turns[1]!.turn.siblings, ["t2", "t9"]);
});

Deno.test("foldOperation() asks for the path when the head or an entry is of a turn it has not heard of", () => {
  const transcript = started(entry(1, "text", { text: "a" }));
  assert.equal(foldOperation(transcript, { op: "head", conversation: CONVERSATION, head: "t8" }).needs, "turns");
  const strange = foldOperation(transcript, announce(entry(2, "text", { text: "b" }, { turn: "t8" })));
  assert.equal(strange.needs, "turns");
  const known = foldPath(strange, [...PATH, turn("t8", { parent: "t2", n: 3 })]);
  assert.equal(known.needs, null);
  assert.equal(known.turns[2]!.blocks[0]!.seq, 2);
});

Deno.test("foldOperation() never makes a turn that has ended run again", () => {
  const transcript = foldPath(emptyTranscript(CONVERSATION), PATH);
  const late = { ...turn("t2", { parent: "t1", n: 2 }), status: "running", ended_at: null } as const;
  assert.equal(foldOperation(transcript, { op: "turn", conversation: CONVERSATION, turn: late }), transcript);
});

Deno.test("foldOperation() empties the path when the head becomes nothing", () => {
  const transcript = foldOperation(started(entry(1, "text", { text: "a" })), {
    op: "head",
    conversation: CONVERSATION,
    head: null,
  });
  assert.deepEqual(transcript.turns, []);
  assert.equal(transcript.needs, null);
});

Deno.test("foldPath() takes the end of a path, and the whole of it later", () => {
  const tail = foldPath(emptyTranscript(CONVERSATION), PATH.slice(1));
  assert.deepEqual(tail.turns.map((view) => view.turn.id), ["t2"]);
  assert.equal(tail.needs, null);
  const older = foldPage(tail, { items: [entry(1, "text", { text: "a" })], last_seq: 1 });
  assert.equal(older.needs, "turns");
  const whole = foldPath(older, PATH);
  assert.deepEqual(whole.turns.map((view) => view.blocks.length), [1, 0]);
  assert.equal(whole.needs, null);
});

Deno.test("foldOperation() survives turns whose parents form a circle", () => {
  const circle = [turn("a", { parent: "b" }), turn("b", { parent: "a" })];
  assert.deepEqual(foldPath(emptyTranscript(CONVERSATION), circle).turns, []);
});

Deno.test("looseEntries() gives the entries of no turn", () => {
  const notice = entry(2, "notice", { text: "Restarted", level: "info" }, { turn: null });
  const transcript = started(entry(1, "text", { text: "a" }), notice);
  assert.deepEqual(looseEntries(transcript), [notice]);
  assert.equal(transcript.needs, null);
});

/* ---------------------------------------------------------------- blocks */

const run = (seq: number, id: string, parent: string | null) =>
  entry(seq, "run", { agent: "scout", task: "look", status: "running", model: "demo:tour" }, {
    run: id,
    parent_run: parent,
    state: "open",
  });
const round = (seq: number, id: string | null) =>
  entry(seq, "round", { kind: "plain", model: "demo:tour", request_bytes: 10, ms: 5, stop_reason: "end" }, { run: id });

Deno.test("foldEntries() puts a sub-agent's entries inside its card, as deep as it goes", () => {
  const transcript = foldEntries(PATH, [
    entry(1, "user", { text: "Go", images: [], from: "person" }),
    run(2, "r1", null),
    entry(3, "text", { text: "in r1" }, { run: "r1" }),
    run(4, "r2", "r1"),
    entry(5, "text", { text: "in r2" }, { run: "r2", parent_run: "r1" }),
    round(6, "r2"),
    entry(7, "text", { text: "outside" }),
    round(8, null),
  ]);
  const view = transcript.turns[0]!;
  assert.deepEqual(view.blocks.map((block) => block.seq), [1, 2, 7]);
  assert.deepEqual(view.rounds.map((item) => item.seq), [8]);
  const card = view.blocks[1] as RunBlock;
  assert.deepEqual(card.blocks.map((block) => block.seq), [3, 4]);
  const inner = card.blocks[1] as RunBlock;
  assert.deepEqual([inner.blocks.map((block) => block.seq), inner.rounds.map((item) => item.seq)], [[5], [6]]);
});

Deno.test("foldOperation() keeps the identity of every block and turn it did not touch", () => {
  const before = started(
    entry(1, "text", { text: "a" }),
    run(2, "r1", null),
    entry(3, "text", { text: "in r1" }, { run: "r1" }),
    entry(4, "text", { text: "b" }, { turn: "t2", state: "open" }),
  );
  const after = foldOperation(before, delta(4, 1, "c"));
  assert.equal(after.turns[0], before.turns[0]);
  assert.notEqual(after.turns[1], before.turns[1]);
  const first = foldOperation(after, announce(entry(5, "text", { text: "late" })));
  assert.equal(first.turns[0]!.blocks[0], before.turns[0]!.blocks[0]);
  assert.equal(first.turns[0]!.blocks[1], before.turns[0]!.blocks[1]);
  assert.equal(first.turns[0]!.rounds, before.turns[0]!.rounds);
});

Deno.test("foldEntries() shows the entries of a run whose card is not there at the level above", () => {
  const transcript = foldEntries(PATH, [entry(1, "text", { text: "orphan" }, { run: "r7" })]);
  assert.deepEqual(transcript.turns[0]!.blocks.map((block) => block.seq), [1]);
});

/* ---------------------------------------------------------------- properties */

/** What was held before: a watcher always has a first page. */
const HELD = entry(1, "user", { text: "Hello", images: [], from: "person" });

/** What a log holds at the end, and every operation that led there, in the order a socket brings them. */
const history = fc.array(
  fc.record({
    turn: fc.constantFrom("t1", "t2"),
    kind: fc.constantFrom("text" as const, "thinking" as const, "tool" as const, "notice" as const),
    pieces: fc.array(fc.string({ unit: "grapheme", minLength: 1, maxLength: 6 }), { maxLength: 6 }),
  }),
  { minLength: 1, maxLength: 8 },
).map((plan) => {
  const stored: Entry[] = [HELD];
  const operations: LogOperation[] = [];
  plan.forEach(({ turn, kind, pieces }, index) => {
    const seq = index + 2;
    const make = (data: unknown, state: "open" | "done") => entry(seq, kind, data as never, { turn, state });
    const close = (data: unknown) => {
      stored.push(make(data, "done"));
      operations.push({ op: "patch", conversation: CONVERSATION, seq, state: "done", data: data as never });
    };
    if (kind === "notice") {
      const done = make({ text: pieces.join(""), level: "info" }, "done");
      stored.push(done);
      operations.push(announce(done));
    } else if (kind === "tool") {
      const call = { call: `c${seq}`, name: "now", toolset: "time", arguments: {} };
      operations.push(announce(make({ ...call, status: "waiting" }, "open")));
      close({ ...call, status: "done", result: pieces.join("") });
    } else {
      operations.push(announce(make({ text: "" }, "open")));
      let text = "";
      for (const piece of pieces) {
        operations.push(delta(seq, text.length, piece));
        text += piece;
      }
      close({ text });
    }
  });
  return { stored, operations };
});

const begin = () => started(HELD);
const seen = (transcript: Transcript) =>
  transcript.turns.map((view) => ({ id: view.turn.id, blocks: view.blocks, entries: view.entries }));

/** What the server answers to a watch from `cursor`: everything after it and everything before it that has changed. */
const answer = (stored: readonly Entry[]) => ({ items: stored, last_seq: stored.length });

Deno.test("property: the operations in order give the fold of the stored entries", () => {
  fc.assert(fc.property(history, ({ stored, operations }) => {
    const live = operations.reduce(foldOperation, begin());
    assert.deepEqual(seen(live), seen(foldEntries(PATH, stored)));
    assert.equal(live.needs, null);
  }));
});

Deno.test("property: any repetition of operations gives the fold of the stored entries", () => {
  fc.assert(fc.property(history, fc.infiniteStream(fc.nat()), ({ stored, operations }, random) => {
    const said: LogOperation[] = [];
    for (const operation of operations) {
      said.push(operation);
      for (let times = random.next().value! % 3; times > 0; times--) {
        said.push(said[random.next().value! % said.length]!);
      }
    }
    const live = said.reduce(foldOperation, begin());
    assert.deepEqual(seen(live), seen(foldEntries(PATH, stored)));
    assert.equal(live.needs, null);
  }));
});

Deno.test("property: cut at any point and resumed, it gives the fold of the stored entries", () => {
  fc.assert(fc.property(history, fc.nat(), ({ stored, operations }, at) => {
    const cut = operations.slice(0, at % (operations.length + 1)).reduce(foldOperation, begin());
    const changed = stored.filter((item) => item.seq > cursorOf(cut) || entryOf(cut, item.seq)?.state === "open");
    const live = foldPage(cut, { items: changed, last_seq: stored.length });
    assert.deepEqual(seen(live), seen(foldEntries(PATH, stored)));
    assert.equal(live.needs, null);
  }));
});

Deno.test("property: in any order it gives the fold of the stored entries, or knows that it needs a resync", () => {
  const shuffled = history.chain(({ stored, operations }) =>
    fc.shuffledSubarray(operations, { minLength: operations.length }).map((order) => ({ stored, order }))
  );
  fc.assert(fc.property(shuffled, ({ stored, order }) => {
    let live = order.reduce(foldOperation, begin());
    if (live.needs === "resync") live = foldPage(live, answer(stored));
    assert.deepEqual(seen(live), seen(foldEntries(PATH, stored)));
  }));
});

Deno.test("property: a lost operation is noticed by the next one of its entry, and a resync heals it", () => {
  fc.assert(fc.property(history, fc.nat(), ({ stored, operations }, which) => {
    const lost = which % operations.length;
    let live = operations.filter((_, index) => index !== lost).reduce(foldOperation, begin());
    const last = operations[lost]!;
    if (live.needs === null && last.op === "patch") return;
    live = foldPage(live, answer(stored));
    assert.deepEqual(seen(live), seen(foldEntries(PATH, stored)));
  }));
});
