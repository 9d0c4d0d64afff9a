import assert from "node:assert/strict";
import fc from "fast-check";
import { type Entry, type EntryData, type EntryKind, Feed, Log, type LogOperation } from "../../../core/log/mod.ts";
import { openLog } from "./log_fixture.ts";

const said = (text: string): EntryData["user"] => ({ text, images: [], from: "person" });
const textOf = (entry: Entry | undefined) => (entry?.data as EntryData["text"] | undefined)?.text;

Deno.test("append() gives dense numbers in the order of the calls", async () => {
  await using fixture = await openLog();
  const { log, heard } = fixture;
  await fixture.conversation("C");
  const entries = await Promise.all(
    ["a", "b", "c", "d"].map((text) => log.append("C", { turn: "T", kind: "user", data: said(text) })),
  );
  assert.deepEqual(entries.map((entry) => entry.seq), [1, 2, 3, 4]);
  assert.deepEqual(heard.map((op) => op.op === "entries" && op.last_seq), [1, 2, 3, 4]);
  const page = await log.entries("C");
  assert.deepEqual(page.items.map(textOf), ["a", "b", "c", "d"]);
  assert.equal(page.last_seq, 4);
});

Deno.test("append() goes on counting where the stored log ends", async () => {
  await using fixture = await openLog();
  await fixture.conversation("C");
  await fixture.log.append("C", { turn: "T", kind: "user", data: said("a") });
  assert.equal(fixture.log.held, 1);
  fixture.log.release("C");
  assert.equal(fixture.log.held, 0);
  await fixture.log.open("C");
  const next = await fixture.log.append("C", { turn: "T", kind: "user", data: said("b") });
  assert.equal(next.seq, 2);
});

Deno.test("append() refuses a conversation that is not open", async () => {
  await using fixture = await openLog();
  await assert.rejects(fixture.log.append("nowhere", { turn: "T", kind: "user", data: said("a") }), /not open/);
});

Deno.test("append() leaves no number behind when the store refuses", async () => {
  await using fixture = await openLog();
  const { log } = fixture;
  await fixture.conversation("C");
  const bad = { also: [{ sql: "insert into no_such_table values (1)" }] };
  await assert.rejects(log.append("C", { turn: "T", kind: "user", data: said("a") }, bad));
  await log.open("C");
  assert.equal((await log.append("C", { turn: "T", kind: "user", data: said("b") })).seq, 1);
});

Deno.test("append() commits what goes with it in the same transaction, or nothing", async () => {
  await using fixture = await openLog();
  const { log, storage } = fixture;
  await fixture.conversation("C");
  const title = { sql: "update conversations set title = 'renamed' where id = 'C'" };
  await assert.rejects(
    log.append("C", { turn: "T", kind: "user", data: said("a") }, { also: [title, { sql: "select * from nothing" }] }),
  );
  const [row] = await storage.database.read("select title from conversations where id = 'C'");
  assert.equal(row?.title, "T");
});

Deno.test("appendAll() writes several entries in order with what goes with them, or nothing of it", async () => {
  await using fixture = await openLog();
  const id = await fixture.conversation("C");
  const draft = (text: string) => ({ turn: "T", kind: "notice" as const, data: { text, level: "info" as const } });
  const rename = { sql: "update conversations set title = 'renamed' where id = ?", args: [id] };
  const entries = await fixture.log.appendAll(id, [draft("one"), draft("two")], { also: [rename] });
  assert.deepEqual(entries.map(({ seq }) => seq), [1, 2]);
  assert.deepEqual((await fixture.stored(id)).map(({ data }) => "text" in data && data.text), ["one", "two"]);
  const told = fixture.heard.flatMap((operation) => operation.op === "entries" ? [operation] : []);
  assert.deepEqual(
    told.map(({ items, last_seq }) => [items.length, last_seq]),
    [[2, 2]],
    "watchers hear of them at once",
  );
  const bad = { sql: "insert into nothing values (1)" };
  await assert.rejects(fixture.log.appendAll(id, [draft("three"), draft("four")], { also: [bad] }));
  await fixture.log.open(id);
  assert.deepEqual((await fixture.log.appendAll(id, [draft("five")])).map(({ seq }) => seq), [3]);
  assert.deepEqual(await fixture.log.appendAll(id, [], { also: [rename] }), []);
  assert.equal((await fixture.stored(id)).length, 3);
});

Deno.test("append() tells what must be heard first, first", async () => {
  await using fixture = await openLog();
  await fixture.conversation("C");
  const announceFirst = () => fixture.feed.announce({ op: "head", conversation: "C", head: "T" });
  await fixture.log.append("C", { turn: "T", kind: "user", data: said("a") }, { announceFirst });
  assert.deepEqual(fixture.heard.map((operation) => operation.op), ["head", "entries"]);
});

Deno.test("appendOpen() announces an entry once it is stored, with the text it has by then", async () => {
  await using fixture = await openLog();
  const { log, heard } = fixture;
  await fixture.conversation("C");
  const text = log.appendOpen("C", { turn: "T", kind: "text", data: { text: "One" } });
  text.extend(", two");
  assert.equal(heard.length, 0);
  await text.durable;
  text.extend(", three");
  await text.close();
  assert.deepEqual(heard.map((operation) => operation.op), ["entries", "delta", "patch"]);
  const [first, delta, patch] = heard as [LogOperation, LogOperation, LogOperation];
  assert.equal(first.op === "entries" && textOf(first.items[0]), "One, two");
  assert.deepEqual(delta, { op: "delta", conversation: "C", seq: 1, at: 8, text: ", three" });
  assert.equal(patch.op === "patch" && patch.state, "done");
  assert.equal(textOf((await fixture.stored("C"))[0]), "One, two, three");
});

Deno.test("an open entry reaches the database while it grows, at 4 KB", async () => {
  await using fixture = await openLog();
  await fixture.conversation("C");
  const text = fixture.log.appendOpen("C", { turn: "T", kind: "text", data: { text: "" } });
  text.extend("x".repeat(5000));
  await fixture.storage.database.write([]);
  assert.equal(textOf((await fixture.stored("C"))[0])?.length, 5000);
  await text.close();
});

Deno.test("an open entry reaches the database within 250 ms", async () => {
  await using fixture = await openLog();
  await fixture.conversation("C");
  const text = fixture.log.appendOpen("C", { turn: "T", kind: "text", data: { text: "a" } });
  text.extend("b");
  const deadline = Date.now() + 5000;
  let stored = "";
  while (stored !== "ab" && Date.now() < deadline) stored = textOf((await fixture.stored("C"))[0]) ?? "";
  assert.equal(stored, "ab");
  await text.close();
});

Deno.test("a text that grows faster than the database writes has one flush on its way, and few in all", async () => {
  await using fixture = await openLog();
  const { database } = fixture.storage;
  const written: number[] = [];
  let open = 0, most = 0;
  const slow: typeof database = {
    read: (...args) => database.read(...args),
    write: async (statements) => {
      written.push(statements.reduce((sum, { args }) => sum + String(args?.[0] ?? "").length, 0));
      most = Math.max(most, ++open);
      const rows = await database.write(statements);
      open--;
      return rows;
    },
  };
  await fixture.conversation("C");
  const log = new Log(slow, new Feed());
  await log.open("C");
  const text = log.appendOpen("C", { turn: "T", kind: "text", data: { text: "" } });
  await text.durable;
  const [pieces, length] = [2000, 1000];
  for (let piece = 0; piece < pieces; piece++) {
    text.extend("x".repeat(length));
    if (piece % 10 === 0) await Promise.resolve();
  }
  await text.close();
  // The last one of growing and the one of closing.
  assert.ok(most <= 2, `${most} at once`);
  const total = written.reduce((sum, each) => sum + each, 0);
  assert.ok(total < 20 * pieces * length, `${total} characters were written for ${pieces * length}`);
  assert.equal(textOf((await fixture.stored("C"))[0])?.length, pieces * length);
});

Deno.test("close() is announced before what is appended after it, also when one commit holds both", async () => {
  await using fixture = await openLog();
  const { log, heard } = fixture;
  await fixture.conversation("C");
  const text = log.appendOpen("C", { turn: "T", kind: "text", data: { text: "a" } });
  const call = log.appendOpen("C", {
    turn: "T",
    kind: "tool",
    data: { call: "1", name: "now", toolset: "time", arguments: {}, status: "waiting" },
  });
  await call.durable;
  await Promise.all([
    text.close(),
    call.patch({ ...call.data, status: "running" }),
    log.append("C", { turn: "T", kind: "user", data: said("b") }),
    call.close(),
  ]);
  const told = heard.slice(2).map((operation) => `${operation.op} ${operation.op === "patch" && operation.seq}`);
  assert.deepEqual(told, ["patch 1", "entries false", "patch 2"]);
});

Deno.test("a closed entry refuses to grow, to change and to close again", async () => {
  await using fixture = await openLog();
  await fixture.conversation("C");
  const text = fixture.log.appendOpen("C", { turn: "T", kind: "text", data: { text: "a" } });
  await text.close();
  assert.throws(() => text.extend("b"), /closed/);
  await assert.rejects(text.patch({ text: "b" }), /closed/);
  await assert.rejects(text.close(), /closed/);
  assert.equal(textOf((await fixture.stored("C"))[0]), "a");
});

Deno.test("entries() pages in both directions", async () => {
  await using fixture = await openLog();
  await fixture.conversation("C");
  for (let n = 1; n <= 10; n++) {
    await fixture.log.append("C", { turn: "T", kind: "user", data: said(String(n)) });
  }
  const seqs = async (options: Parameters<typeof fixture.log.entries>[1]) =>
    (await fixture.log.entries("C", options)).items.map((entry) => entry.seq);
  assert.deepEqual(await seqs({ limit: 3 }), [8, 9, 10]);
  assert.deepEqual(await seqs({ before: 8, limit: 3 }), [5, 6, 7]);
  assert.deepEqual(await seqs({ after: 2, limit: 3 }), [3, 4, 5]);
  assert.deepEqual(await seqs({ after: 2, before: 5 }), [3, 4]);
});

Deno.test("entries() gives no cursor ahead of the entries it comes with, whatever is appended meanwhile", async () => {
  await using fixture = await openLog();
  const { database } = fixture.storage;
  await fixture.conversation("C");
  await fixture.log.append("C", { turn: "T", kind: "user", data: said("a") });
  // Another message is stored after each thing that is read.
  const busy: typeof database = {
    write: (...args) => database.write(...args),
    read: async (...args) => {
      const rows = await database.read(...args);
      await fixture.log.append("C", { turn: "T", kind: "user", data: said("b") });
      return rows;
    },
  };
  const page = await new Log(busy, new Feed()).entries("C", { all: true });
  assert.equal(page.last_seq, page.items.at(-1)?.seq);
});

Deno.test("entries() keeps to the path in view unless all are asked for", async () => {
  await using fixture = await openLog();
  const { storage, log } = fixture;
  await fixture.conversation("C");
  const turn = (id: string, parent: string | null) => ({
    sql: `insert into turns (id, conversation, parent, n, origin, status, agent, model, started_at)
          values (?, 'C', ?, 1, 'person', 'done', 'assistant', 'demo:tour', '2026-01-01T00:00:00Z')`,
    args: [id, parent],
  });
  await storage.database.write([turn("T1", null), turn("T2", "T1"), turn("T3", "T1")]);
  for (const id of ["T1", "T2", "T3"]) await log.append("C", { turn: id, kind: "user", data: said(id) });
  await storage.database.write([{ sql: "update conversations set head = 'T3' where id = 'C'" }]);
  assert.deepEqual((await log.entries("C", { all: false })).items.map(textOf), ["T1", "T3"]);
  assert.deepEqual((await log.entries("C", { all: true })).items.map(textOf), ["T1", "T2", "T3"]);
});

Deno.test("entries() shows an entry that cannot be read as a notice, and the rest as it is", async () => {
  await using fixture = await openLog();
  await fixture.conversation("C");
  await fixture.log.append("C", { turn: "T", kind: "user", data: said("a") });
  await fixture.log.append("C", { turn: "T", kind: "user", data: said("b") });
  await fixture.storage.database.write([{ sql: `update entries set data = '{"words":1}' where seq = 1` }]);
  const { items } = await fixture.log.entries("C");
  assert.deepEqual(items.map((entry) => entry.kind), ["notice", "user"]);
});

Deno.test("watch() hears of nothing twice and misses nothing, whenever it begins", async () => {
  await using fixture = await openLog();
  const { log } = fixture;
  await fixture.conversation("C");
  const text = log.appendOpen("C", { turn: "T", kind: "text", data: { text: "" } });
  await text.durable;
  const watchers: { seen: LogOperation[]; started: Promise<() => void> }[] = [];
  for (let n = 0; n < 30; n++) {
    text.extend(`${n} `);
    const seen: LogOperation[] = [];
    watchers.push({ seen, started: log.watch("C", 0, (operation) => seen.push(operation)) });
    if (n % 4 === 0) await watchers.at(-1)?.started;
  }
  await text.close();
  for (const { seen, started } of watchers) {
    (await started)();
    assert.equal(strictText(seen), textOf(text.entry));
  }
});

Deno.test("watch() with a cursor past the end sends everything", async () => {
  await using fixture = await openLog();
  await fixture.conversation("C");
  await fixture.log.append("C", { turn: "T", kind: "user", data: said("a") });
  const seen: LogOperation[] = [];
  (await fixture.log.watch("C", 99, (operation) => seen.push(operation)))();
  assert.equal(seen[0]?.op === "entries" && seen[0].items.length, 1);
});

Deno.test("watch() does not send again what has not changed since the cursor", async () => {
  await using fixture = await openLog();
  const { log } = fixture;
  await fixture.conversation("C");
  await log.append("C", { turn: "T", kind: "user", data: said("a") });
  const text = log.appendOpen("C", { turn: "T", kind: "text", data: { text: "b" } });
  await text.close();
  await log.append("C", { turn: "T", kind: "user", data: said("c") });
  const seen: LogOperation[] = [];
  (await log.watch("C", 3, (operation) => seen.push(operation)))();
  assert.deepEqual(seen[0]?.op === "entries" && seen[0].items, []);
});

Deno.test("watch() gives an entry that grew out of sight and is in no row yet, however new the cursor", async () => {
  await using fixture = await openLog();
  const { log } = fixture;
  await fixture.conversation("C");
  const open = log.appendOpen("C", { turn: "T", kind: "text", data: { text: "" } });
  await open.durable;
  const newest = await log.append("C", { turn: "T", kind: "user", data: said("b") });
  open.extend("hello");
  const before = { ...open.entry, data: { text: "" } } as Entry;
  const held = new Map<number, Entry>([[1, before], [2, newest]]);
  const seen: LogOperation[] = [];
  const leave = await log.watch("C", 2, (operation) => seen.push(operation));
  open.extend(" there");
  await open.close();
  leave();
  for (const operation of seen) hear(held, operation);
  assert.deepEqual([...held.values()], await fixture.stored("C"));
});

Deno.test("watch() of one conversation hears nothing of another", async () => {
  await using fixture = await openLog();
  await fixture.conversation("A");
  await fixture.conversation("B");
  const seen: LogOperation[] = [];
  const stop = await fixture.log.watch("A", 0, (operation) => seen.push(operation));
  await fixture.log.append("B", { turn: "T", kind: "user", data: said("b") });
  stop();
  assert.equal(seen.length, 1);
});

Deno.test("watch() resumes from every cursor with exactly what is stored", async () => {
  await using fixture = await openLog();
  const { log } = fixture;
  let round = 0;
  const steps = fc.array(
    fc.oneof(
      fc.record({ do: fc.constant("open" as const), kind: fc.constantFrom<EntryKind>("text", "thinking") }),
      fc.record({
        do: fc.constant("grow" as const),
        which: fc.nat(5),
        piece: fc.string({ minLength: 1, maxLength: 6 }),
      }),
      fc.record({ do: fc.constant("close" as const), which: fc.nat(5) }),
      fc.record({ do: fc.constant("append" as const) }),
      // As soon as it has heard so much more, in the midst of what is announced together.
      fc.record({ do: fc.constant("leave" as const), after: fc.nat(3) }),
      fc.record({ do: fc.constant("return" as const) }),
      fc.record({ do: fc.constant("settle" as const) }),
    ),
    { maxLength: 40 },
  );
  await fc.assert(
    fc.asyncProperty(steps, async (script) => {
      const id = await fixture.conversation(`C${round++}`);
      const watcher = new Watcher(log, id);
      const open: ReturnType<typeof log.appendOpen<"text">>[] = [];
      const going: Promise<unknown>[] = [];
      const settled = () => Promise.all(going.splice(0));
      going.push(watcher.come());
      for (const step of script) {
        if (step.do === "open") {
          open.push(log.appendOpen(id, { turn: "T", kind: step.kind as "text", data: { text: "" } }));
        }
        const chosen = "which" in step ? open[step.which % Math.max(1, open.length)] : undefined;
        if (step.do === "grow" && chosen?.isOpen) chosen.extend(step.piece);
        if (step.do === "close" && chosen?.isOpen) going.push(chosen.close());
        if (step.do === "append") going.push(log.append(id, { turn: "T", kind: "user", data: said("x") }));
        if (step.do === "leave") watcher.leave(step.after);
        if (step.do === "return") going.push(watcher.come());
        if (step.do === "settle") await settled();
      }
      for (const entry of open) if (entry.isOpen) going.push(entry.close());
      await settled();
      await watcher.come();
      watcher.leave(0);
      assert.deepEqual(watcher.entries, await fixture.stored(id));
    }),
    { numRuns: 100 },
  );
});

/** Somebody who watches a conversation, leaves, and returns with the cursor they had. What they heard wrongly, `entries` throws. */
class Watcher {
  readonly #log: Log;
  readonly #conversation: string;
  readonly #held = new Map<number, Entry>();
  #wrong: unknown;
  #watching: { hears: number } | null = null;

  constructor(log: Log, conversation: string) {
    this.#log = log;
    this.#conversation = conversation;
  }

  /** What is held, in order. */
  get entries(): readonly Entry[] {
    if (this.#wrong) throw this.#wrong;
    return [...this.#held.values()].sort((a, b) => a.seq - b.seq);
  }

  async come(): Promise<void> {
    if (this.#watching) return;
    const watching = { hears: Infinity };
    this.#watching = watching;
    await this.#log.watch(this.#conversation, Math.max(0, ...this.#held.keys()), (operation) => {
      if (this.#watching !== watching) return;
      this.#hear(operation);
      if (--watching.hears <= 0) this.#watching = null;
    });
  }

  /** Leaves when `after` more operations have been heard. */
  leave(after: number): void {
    if (this.#watching && after > 0) this.#watching.hears = after;
    else this.#watching = null;
  }

  /** The feed reports what a listener throws elsewhere, where it would fail the whole file: it is kept for the test. */
  #hear(operation: LogOperation): void {
    try {
      hear(this.#held, operation);
    } catch (error) {
      this.#wrong ??= error;
    }
  }
}

/** A watcher that believes only what fits: a delta that is not exactly at the end of what is held fails the test. */
function hear(held: Map<number, Entry>, operation: LogOperation): void {
  if (operation.op === "entries") { for (const entry of operation.items) held.set(entry.seq, entry); }
  if (operation.op === "patch") {
    const entry = held.get(operation.seq);
    assert.ok(entry, "a patch of an entry that was never sent");
    held.set(operation.seq, { ...entry, state: operation.state, data: operation.data } as Entry);
  }
  if (operation.op === "delta") {
    const entry = held.get(operation.seq);
    const text = textOf(entry);
    assert.equal(text?.length, operation.at);
    held.set(operation.seq, { ...entry, data: { ...entry?.data, text: text + operation.text } } as Entry);
  }
}

function strictText(seen: readonly LogOperation[]): string | undefined {
  const held = new Map<number, Entry>();
  for (const operation of seen) hear(held, operation);
  return textOf(held.get(1));
}
