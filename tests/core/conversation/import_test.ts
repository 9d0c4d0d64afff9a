import assert from "node:assert/strict";
import { BadRequest, IMPORTED_NOTICE } from "../../../core/conversation/mod.ts";
import { type Entry, foldContext, INTERRUPTED } from "../../../core/log/mod.ts";
import { bytesOf, openTree, type TreeFixture } from "./tree_fixture.ts";

type Json = Record<string, unknown>;

/** A conversation with two branches, a picture, a long result and a request: its whole export, and the same as objects. */
async function exported(fixture: TreeFixture): Promise<{ id: string; lines: string[] }> {
  const { book, exchange, say, storage } = fixture;
  const { id } = await book.create({ title: "Tides" });
  await book.update(id, { pinned: true, model: "demo:chosen" });
  const stored = async (text: string) => await storage.blobs.put(new TextEncoder().encode(text), "text/plain", id);
  const a = await exchange(id, null, "demo:a");
  const b = await exchange(id, a, "demo:b");
  await say(id, b, "user", {
    text: "look",
    from: "person",
    images: [{ ref: `/images/${await stored("picture")}`, name: "../a.png", media_type: "image/png", bytes: 7 }],
    files: [{ ref: `/payloads/${await stored("file")}`, name: "a.txt", media_type: "text/plain", bytes: 4 }],
  });
  await say(id, b, "tool", { ...call("one"), result: "cut", result_ref: `/payloads/${await stored("whole")}` });
  await say(id, b, "inbox", { text: "wait", from: "person", to: "assistant", token: "t9" });
  await say(id, b, "undelivered", { text: "too late", from: "person", to: "assistant" });
  await exchange(id, a, "demo:c");
  return { id, lines: await fixture.lines(id, true) };
}

const call = (id: string) =>
  ({ call: id, name: "now", toolset: "time", arguments: { z: 1 }, status: "done", result: "noon" }) as const;

/** The lines with what an import gives anew left out: ids, times, where it came from. */
function comparable(lines: readonly string[]): unknown[] {
  const turns = new Map<string, number>();
  const name = (id: unknown) => id === null ? null : turns.get(String(id)) ?? `unknown ${id}`;
  return lines.map((line) => {
    const value = JSON.parse(line) as Json;
    if (value.malama !== undefined) {
      const { id: _, head: __, origin: ___, updated_at: ____, task: _____, graph: ______, ...header } = value;
      return header;
    }
    if (value.turn) {
      const { id, parent, conversation: _, ...turn } = value.turn as Json;
      turns.set(String(id), turns.size);
      return { turn: { ...turn, id: name(id), parent: name(parent) } };
    }
    if (value.entry) {
      const { conversation: _, turn, ...entry } = value.entry as Json;
      return { entry: { ...entry, turn: name(turn) } };
    }
    return value;
  });
}

/** Everything of every conversation, to see that nothing was left behind. */
async function allRows({ storage }: TreeFixture): Promise<unknown> {
  const count = async (table: string) => (await storage.database.read(`select * from ${table}`)).length;
  return {
    conversations: await count("conversations"),
    turns: await count("turns"),
    entries: await count("entries"),
    blobs: await count("blobs"),
    holders: await count("blob_holders"),
  };
}

/** An import that must fail: gives what it was refused with, after making sure that nothing is left of it. */
async function refused(fixture: TreeFixture, lines: readonly string[]): Promise<BadRequest> {
  const before = await allRows(fixture);
  fixture.heard.length = 0;
  try {
    await fixture.imports.import(bytesOf(lines));
  } catch (error) {
    assert.ok(error instanceof BadRequest, String(error));
    assert.deepEqual(await allRows(fixture), before, "something was left behind");
    assert.deepEqual(fixture.heard, []);
    return error;
  }
  assert.fail("the import was taken in");
}

/** The lines with one replaced: the first that `of` finds, by what `by` makes of it. */
function changed(lines: readonly string[], of: string, by: (value: Json, line: Json) => unknown): string[] {
  const at = of === "header" ? 0 : lines.findIndex((line) => of in JSON.parse(line));
  const line = JSON.parse(lines[at]!) as Json;
  const made = by((of === "header" ? line : line[of]) as Json, line);
  return lines.with(at, typeof made === "string" ? made : JSON.stringify(of === "header" ? made : { [of]: made }));
}

Deno.test("import() of a whole export gives the same conversation, under ids of its own", async () => {
  await using fixture = await openTree();
  const { id, lines } = await exported(fixture);
  const before = await fixture.lines(id, true);
  const made = await fixture.imports.import(bytesOf(lines, 1000));
  assert.notEqual(made.id, id);
  assert.deepEqual(
    [made.title, made.origin, made.pinned, made.model, made.turns, made.running],
    ["Tides", { kind: "import", conversation: id }, true, "demo:chosen", 3, false],
  );
  assert.deepEqual(comparable(await fixture.lines(made.id, true)), comparable(lines));
  assert.deepEqual(await fixture.lines(id, true), before, "the original is not touched");
  const { path } = await fixture.book.get(made.id);
  assert.deepEqual(path.map(({ model, siblings }) => [model, siblings.length]), [["demo:a", 1], ["demo:c", 2]]);
  assert.deepEqual(fixture.heard.at(-1), { op: "conversation", conversation: made });
});

Deno.test("import() into another store brings the files along", async () => {
  await using here = await openTree();
  const { lines } = await exported(here);
  await using there = await openTree();
  const made = await there.imports.import(bytesOf(lines));
  assert.deepEqual(comparable(await there.lines(made.id, true)), comparable(lines));
  assert.deepEqual(await allRows(there), { conversations: 1, turns: 3, entries: 10, blobs: 3, holders: 3 });
  assert.equal(await there.storage.blobs.sweep(), 0);
});

Deno.test("import() twice gives two conversations, and what is done to one is not done to the other", async () => {
  await using fixture = await openTree();
  const { lines } = await exported(fixture);
  const one = await fixture.imports.import(bytesOf(lines));
  const two = await fixture.imports.import(bytesOf(lines));
  await fixture.book.truncate(one.id, (await fixture.book.get(one.id)).path[0]!.id);
  assert.deepEqual(comparable(await fixture.lines(two.id, true)), comparable(lines));
});

Deno.test("import() of an export without files holds those that are here", async () => {
  await using fixture = await openTree();
  const { id } = await exported(fixture);
  const made = await fixture.imports.import(bytesOf(await fixture.lines(id)));
  await fixture.storage.database.write([{ sql: "delete from conversations where id = ?", args: [id] }]);
  assert.equal(await fixture.storage.blobs.sweep(), 0);
  assert.equal((await fixture.lines(made.id, true)).filter((line) => line.startsWith('{"blob"')).length, 3);
});

Deno.test("import(): the imported can be gone on with, and found by its words", async () => {
  await using fixture = await openTree();
  const { lines } = await exported(fixture);
  const made = await fixture.imports.import(bytesOf(lines));
  const { last_seq } = await fixture.book.stored(made.id);
  await fixture.exchange(made.id, made.head, "demo:next");
  const { items } = await fixture.log.entries(made.id, { all: true });
  assert.equal(items.at(-2)?.seq, last_seq + 1);
  const rows = await fixture.storage.database.read(
    `select count(*) as found from entry_search s join entries e on e.id = s.rowid
     where entry_search match '"answer demo:b"' and e.conversation = ?`,
    [made.id],
  );
  assert.equal(rows[0]?.found, 1);
});

Deno.test("import(): regenerating message 2 of 6 keeps both branches, over export and import", async () => {
  await using fixture = await openTree();
  const { book, exchange } = fixture;
  const { id } = await book.create();
  const turns: string[] = [];
  for (let n = 1; n <= 6; n++) turns.push(await exchange(id, turns.at(-1) ?? null, `demo:${n}`));
  const again = await exchange(id, turns[0]!, "demo:again");
  const made = await fixture.imports.import(bytesOf(await fixture.lines(id, true)));
  const { path } = await book.get(made.id);
  assert.deepEqual(path.map(({ model }) => model), ["demo:1", "demo:again"]);
  assert.equal(path[1]!.siblings.length, 2);
  const { path: other } = await book.setHead(made.id, path[1]!.siblings[0]!);
  assert.deepEqual(other.map(({ model }) => model), turns.map((_, index) => `demo:${index + 1}`));
  assert.equal((await book.get(id)).head, again);
});

Deno.test("import() of a turn that ran closes it as after a crash", async () => {
  await using fixture = await openTree();
  const { book, begin, say, log } = fixture;
  const { id } = await book.create();
  const turn = await begin(id, null, "demo:a");
  await say(id, turn, "user", { text: "go", images: [], from: "person" });
  const open = log.appendOpen(id, {
    turn,
    kind: "tool",
    data: { ...call("one"), status: "running", result: undefined },
  });
  await open.durable;
  const lines = await fixture.lines(id);
  await open.close({ ...open.data, status: "done", result: "noon" });
  const made = await fixture.imports.import(bytesOf(lines));
  const entries = (await log.entries(made.id, { all: true })).items;
  const { path } = await book.get(made.id);
  assert.equal(path[0]!.status, "interrupted");
  assert.ok(path[0]!.ended_at !== null);
  assert.ok(entries.every(({ state }) => state === "done"));
  assert.equal((entries[1] as Entry<"tool">).data.result, INTERRUPTED);
  assert.deepEqual((entries[2] as Entry<"notice">).data.text, IMPORTED_NOTICE);
  assert.equal((await book.stored(made.id)).last_seq, 3);
  assert.equal(foldContext(entries).filter(({ role }) => role === "tool").length, 1);
});

Deno.test("import(): a call that says it runs in a turn that ended gets its one result", async () => {
  await using fixture = await openTree();
  const { lines } = await exported(fixture);
  const forged = lines.map((line) => line.replace('"status":"done","result":"cut"', '"status":"running"'));
  const made = await fixture.imports.import(bytesOf(forged));
  const tool = (await fixture.log.entries(made.id, { all: true })).items.find(({ kind }) => kind === "tool");
  assert.deepEqual([(tool as Entry<"tool">).data.status, (tool as Entry<"tool">).data.result], [
    "interrupted",
    INTERRUPTED,
  ]);
});

Deno.test("import() takes another agent's conversation in for the entry agent, and leaves a bad model string out", async () => {
  await using fixture = await openTree();
  const { lines } = await exported(fixture);
  const made = await fixture.imports.import(
    bytesOf(changed(lines, "header", (header) => ({ ...header, agent: "gone", model: "nonsense" }))),
  );
  assert.deepEqual([made.agent, made.model], ["assistant", null]);
});

Deno.test("import() keeps kinds, keys and lines that this version does not know", async () => {
  await using fixture = await openTree();
  const { lines } = await exported(fixture);
  const newer = changed(
    changed(lines, "entry", (entry) => ({ ...entry, kind: "mood", data: { text: 1, deep: [{ a: "\ud800\u0000" }] } })),
    "header",
    (header) => ({ ...header, later: true }),
  ).toSpliced(1, 0, '{"weather":{"fine":true}}', "");
  const made = await fixture.imports.import(bytesOf(newer));
  const again = await fixture.lines(made.id, true);
  const mood = again.map((line) => JSON.parse(line)).find(({ entry }) => entry?.kind === "mood");
  assert.deepEqual(mood.entry.data, { text: 1, deep: [{ a: "\ud800\u0000" }] });
});

Deno.test("import() of an entry that could not be read any more leaves it as it was", async () => {
  await using fixture = await openTree();
  const { lines } = await exported(fixture);
  for (const kind of ["tool", "user"]) {
    const damaged = changed(lines, "entry", (entry) => ({ ...entry, kind, data: null, data_text: '{"text": oh' }));
    const made = await fixture.imports.import(bytesOf(damaged));
    const [entry] = (await fixture.log.entries(made.id, { all: true })).items;
    assert.deepEqual([entry?.kind, (entry as Entry<"notice">).data.text], ["notice", "Entry 1 cannot be read"]);
  }
});

Deno.test("import(): a file that was cut off anywhere is refused, and leaves nothing", async () => {
  await using fixture = await openTree();
  const { lines } = await exported(fixture);
  for (let count = 0; count < lines.length; count++) {
    const error = await refused(fixture, lines.slice(0, count));
    assert.equal(error.path, `line ${Math.max(1, count)}`);
    assert.match(error.message, count === 0 ? /empty/ : /cut off/);
  }
  const half = lines.with(-1, lines.at(-1)!.slice(0, 9));
  assert.deepEqual([(await refused(fixture, half)).path], [`line ${lines.length}`]);
  const middle = lines.with(5, lines[5]!.slice(0, -30));
  assert.match((await refused(fixture, middle)).message, /not JSON/);
});

const ZERO = "0".repeat(64);

/** Faults by name: how the export is forged, and what is said of it. */
const FAULTS: Readonly<Record<string, [forge: (lines: string[]) => string[], path: RegExp, message: RegExp]>> = {
  "no export at all": [() => ["# Tides", "hello"], /line 1/, /not JSON/],
  "another program's JSON": [() => ['{"messages":[]}'], /line 1/, /no JSONL export/],
  "an array": [(lines) => lines.with(0, "[]"), /line 1/, /not a JSON object/],
  "a later version": [
    (lines) => changed(lines, "header", (h) => ({ ...h, malama: 2 })),
    /line 1/,
    /later Malama.*update/,
  ],
  "no such version": [(lines) => changed(lines, "header", (h) => ({ ...h, malama: 0.5 })), /line 1/, /no version 0.5/],
  "a header without a title": [
    (lines) => changed(lines, "header", ({ title: _, ...h }) => h),
    /line 1/,
    /title: Is missing/,
  ],
  "a head that is not there": [
    (lines) => changed(lines, "header", (h) => ({ ...h, head: "X" })),
    /line 1/,
    /not there/,
  ],
  "a number too large to count on": [
    (lines) => changed(lines, "header", (h) => ({ ...h, last_seq: 2 ** 53 })),
    /line 1/,
    /last_seq/,
  ],
  "a foreign turn": [(lines) => changed(lines, "turn", (t) => ({ ...t, conversation: "X" })), /line 2/, /another conv/],
  "a foreign entry": [
    (lines) => changed(lines, "entry", (e) => ({ ...e, conversation: "X" })),
    /line 5/,
    /another conv/,
  ],
  "a circle of turns": [
    (lines) => changed(lines, "turn", (t) => ({ ...t, parent: JSON.parse(lines[2]!).turn.id, n: 2 })),
    /line 2/,
    /not among the turns before it/,
  ],
  "a turn under itself": [(lines) => changed(lines, "turn", (t) => ({ ...t, parent: t.id })), /line 2/, /not among/],
  "a turn twice": [(lines) => lines.toSpliced(2, 0, lines[1]!), /line 3/, /twice/],
  "a turn at a wrong place": [(lines) => changed(lines, "turn", (t) => ({ ...t, n: 7 })), /line 2/, /place/],
  "a turn of a status that is none": [
    (lines) => changed(lines, "turn", (t) => ({ ...t, status: "happy" })),
    /line 2/,
    /turn.status/,
  ],
  "two turns with one token": [
    (lines) => [lines[0]!, ...[1, 2].map((at) => withToken(lines[at]!)), ...lines.slice(3)],
    /line 3/,
    /one token/,
  ],
  "a turn behind the entries": [(lines) => lines.toSpliced(6, 0, lines[1]!), /line 7/, /behind the entries/],
  "an entry of an unknown turn": [
    (lines) => changed(lines, "entry", (e) => ({ ...e, turn: "X" })),
    /line 5/,
    /not there/,
  ],
  "the same number twice": [(lines) => lines.toSpliced(5, 0, lines[4]!), /line 6/, /comes after/],
  "descending numbers": [(lines) => lines.with(4, lines[5]!).with(5, lines[4]!), /line 6/, /comes after/],
  "a number behind the last": [(lines) => changed(lines, "header", (h) => ({ ...h, last_seq: 3 })), /line 8/, /behind/],
  "data that does not fit its kind": [
    (lines) => changed(lines, "entry", (e) => ({ ...e, data: { text: 7 } })),
    /line 5/,
    /entry.data.text/,
  ],
  "a time that is none": [(lines) => changed(lines, "entry", (e) => ({ ...e, at: "noon" })), /line 5/, /no.* a time/],
  "an entry without data": [(lines) => changed(lines, "entry", ({ data: _, ...e }) => e), /line 5/, /entry.data/],
  "half a character in a column": [
    (lines) => changed(lines, "entry", (e) => ({ ...e, run: "\ud800" })),
    /line 5/,
    /entry.run: Holds what is no text/,
  ],
  "JSON nested too deep for the database": [
    (lines) =>
      changed(
        lines,
        "entry",
        (e) => ({ ...e, kind: "mood", data: { a: JSON.parse("[".repeat(900) + "]".repeat(900)) } }),
      ),
    /line 5/,
    /nested/,
  ],
  "a reference out of the store": [
    (lines) => lines.map((line) => line.replace(/"\/images\/[0-9a-f]+"/, '"/images/../../token"')),
    /line 9/,
    /no stored file/,
  ],
  "a reference to a page elsewhere": [
    (lines) => lines.map((line) => line.replace(/"result_ref":"[^"]+"/, '"result_ref":"https://example.org/x"')),
    /line 10/,
    /no stored file/,
  ],
  "two results for one call": [
    (lines) => {
      const at = lines.findIndex((line) => line.includes('"kind":"tool"'));
      const { entry } = JSON.parse(lines[at]!);
      const inbox = JSON.parse(lines[at + 1]!).entry;
      return lines.with(at + 1, JSON.stringify({ entry: { ...entry, seq: inbox.seq } }));
    },
    /line 11/,
    /second result of the call "one"/,
  ],
  "a file that is not its hash": [
    (lines) => changed(lines, "blob", (b) => ({ ...b, hash: ZERO })),
    /line 15/,
    /not what its hash says/,
  ],
  "a file whose bytes were changed": [
    (lines) => changed(lines, "blob", (b) => ({ ...b, data: "AAAA" })),
    /line 15/,
    /not what its hash says/,
  ],
  "a file that is no base64": [(lines) => changed(lines, "blob", (b) => ({ ...b, data: "a*b" })), /line 15/, /base64/],
  "a file that a browser would be told to run by a strange type": [
    (lines) => changed(lines, "blob", (b) => ({ ...b, media_type: "text/html\r\nx: y" })),
    /line 15/,
    /media_type/,
  ],
  "files out of order": [(lines) => lines.with(14, lines[15]!).with(15, lines[14]!), /line 16/, /order/],
  "an entry that was taken out": [(lines) => lines.toSpliced(6, 1), /line 17/, /something is missing/],
  "an end that counts wrongly": [
    (lines) => changed(lines, "end", (end) => ({ ...end, turns: 9 })),
    /line 18/,
    /something is missing/,
  ],
  "something behind the end": [(lines) => [...lines, lines[0]!], /line 19/, /behind the end/],
};

function withToken(line: string): string {
  const { turn } = JSON.parse(line);
  return JSON.stringify({ turn: { ...turn, token: "same" } });
}

Deno.test("import() refuses what is forged", async (step) => {
  await using fixture = await openTree();
  const { lines } = await exported(fixture);
  for (const [name, [forge, path, message]] of Object.entries(FAULTS)) {
    await step.step(name, async () => {
      const error = await refused(fixture, forge([...lines]));
      assert.match(error.path, path);
      assert.match(error.message, message);
    });
  }
});

Deno.test("import(): a circle longer than its lines cannot be written, since a turn stands behind its parent", async () => {
  await using fixture = await openTree();
  const { lines } = await exported(fixture);
  const reversed = [lines[0]!, lines[3]!, lines[2]!, lines[1]!, ...lines.slice(4)];
  assert.match((await refused(fixture, reversed)).message, /not among the turns before it/);
});

Deno.test("import(): a sender that leaves in the middle leaves nothing behind", async () => {
  await using fixture = await openTree();
  const { lines } = await exported(fixture);
  const before = await allRows(fixture);
  async function* leaving(): AsyncGenerator<Uint8Array> {
    yield* bytesOf(lines.slice(0, 16));
    throw new Error("connection lost");
  }
  await assert.rejects(fixture.imports.import(leaving()), /connection lost/);
  assert.deepEqual(await allRows(fixture), before);
});

Deno.test("import() that is called off leaves nothing behind", async () => {
  await using fixture = await openTree();
  const { lines } = await exported(fixture);
  const before = await allRows(fixture);
  const controller = new AbortController();
  async function* slow(): AsyncGenerator<Uint8Array> {
    yield* bytesOf(lines.slice(0, 8));
    controller.abort(new Error("called off"));
    yield* bytesOf(lines.slice(8));
  }
  await assert.rejects(fixture.imports.import(slow(), { signal: controller.signal }), /called off/);
  assert.deepEqual(await allRows(fixture), before);
});

Deno.test("import() that the process does not survive is taken away by housekeeping, and seen by nobody until then", async () => {
  await using fixture = await openTree();
  const { book, storage } = fixture;
  const { lines } = await exported(fixture);
  const reached = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  async function* paused(): AsyncGenerator<Uint8Array> {
    yield* bytesOf(lines.slice(0, -1));
    reached.resolve();
    await goOn.promise;
    yield* bytesOf(lines.slice(-1));
  }
  const importing = fixture.imports.import(paused());
  await reached.promise;
  assert.equal((await book.list()).items.length, 1);
  await book.purge();
  const [staged] = await storage.database.read("select id from conversations where deleted_at is not null");
  assert.ok(staged, "an import that is under way is left alone");
  await assert.rejects(book.get(String(staged.id)));
  goOn.resolve();
  await importing;
  assert.equal((await book.list()).items.length, 2);
  await storage.database.write([{ sql: "update conversations set deleted_at = '2026-01-01' where pinned = 1" }]);
  await book.purge();
  await storage.blobs.sweep();
  assert.deepEqual(await allRows(fixture), { conversations: 0, turns: 0, entries: 0, blobs: 0, holders: 0 });
});
