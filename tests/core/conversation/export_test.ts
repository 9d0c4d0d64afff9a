import assert from "node:assert/strict";
import fc from "fast-check";
import {
  ConversationNotFound,
  EXPORT_PAGE,
  type ExportOptions,
  type ExportSource,
  openExport,
} from "../../../core/conversation/mod.ts";
import { foldEntries, foldMarkdown, INTERRUPTED } from "../../../core/log/mod.ts";
import { scriptedModel } from "../../../core/model/mod.ts";
import type { Row, SqlValue, Statement } from "../../../core/storage/mod.ts";
import { openTurns, type TurnFixture } from "../turn/turn_fixture.ts";

type Line = Readonly<Record<string, Record<string, unknown>>>;

const open = (): Promise<TurnFixture> => openTurns({ model: scriptedModel(() => ({ text: "It is **noon**" })) });
const sourceOf = ({ book, log, storage }: TurnFixture): ExportSource => ({ conversations: book, log, storage });

async function textOf(source: ExportSource, id: string, options: ExportOptions): Promise<string> {
  return (await Array.fromAsync((await openExport(source, id, options)).pieces)).join("");
}

/** The lines, each read by itself. */
async function linesOf(fixture: TurnFixture, id: string, full = false): Promise<readonly Line[]> {
  const text = await textOf(sourceOf(fixture), id, { format: "jsonl", full });
  assert.ok(text.endsWith("\n"));
  return text.slice(0, -1).split("\n").map((line) => JSON.parse(line));
}

const of = (lines: readonly Line[], kind: string) => lines.flatMap((line) => line[kind] ? [line[kind]] : []);

async function talk(fixture: TurnFixture, id: string, ...texts: string[]): Promise<void> {
  for (const text of texts) {
    const receipt = await fixture.turns.submit(id, { text });
    assert.ok(receipt.fate === "turn");
    await fixture.ended(receipt.turn);
  }
}

function insertEntry(conversation: string, seq: number, row: Partial<Record<string, SqlValue>> = {}): Statement {
  const whole = {
    turn: null,
    run: null,
    parent_run: null,
    kind: "text",
    state: "done",
    at: "2026",
    data: '{"text":"a"}',
  };
  const { turn, run, parent_run, kind, state, at, data } = { ...whole, ...row };
  return {
    sql: `insert into entries (conversation, seq, turn, run, parent_run, kind, state, at, touched, data)
          values (?, ?, ?, ?, ?, ?, ?, ?, 0, ?)`,
    args: [conversation, seq, turn, run, parent_run, kind, state, at, data],
  };
}

function insertTurn(conversation: string, id: string, parent: string | null, row: Partial<Row> = {}): Statement {
  const whole = {
    n: 1,
    origin: "person",
    status: "done",
    agent: "assistant",
    model: "demo:tour",
    thinking: null,
    usage: null,
  };
  const { n, origin, status, agent, model, thinking, usage } = { ...whole, ...row };
  return {
    sql: `insert into turns (id, conversation, parent, n, origin, status, agent, model, thinking, usage, started_at)
          values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, '2026-11-30T09:00:00.000Z')`,
    args: [id, conversation, parent, n, origin, status, agent, model, thinking, usage],
  };
}

const lastSeq = (id: string, seq: number): Statement => ({
  sql: "update conversations set last_seq = ? where id = ?",
  args: [seq, id],
});

Deno.test("openExport() as JSONL gives the header, the turns, the entries, and an end that counts them", async () => {
  await using fixture = await open();
  const { id } = await fixture.book.create({ title: "Noon" });
  await talk(fixture, id, "What time is it?", "And now?");
  const lines = await linesOf(fixture, id);
  const { malama, kind, full, title, title_kind, pinned, head, last_seq } = lines[0] as Record<string, unknown>;
  const entries = of(lines, "entry");
  assert.deepEqual([malama, kind, full, title, title_kind, pinned], [1, "conversation", false, "Noon", "given", false]);
  assert.deepEqual(of(lines, "turn").map((turn) => [turn.n, turn.status]), [[1, "done"], [2, "done"]]);
  assert.equal(of(lines, "turn")[1]!.id, head);
  assert.deepEqual(
    entries.map((entry) => entry.seq),
    Array.from({ length: Number(last_seq) }, (_, index) => index + 1),
  );
  assert.deepEqual(entries, (await fixture.log.entries(id, { limit: 500 })).items);
  assert.deepEqual(of(lines, "turn"), await fixture.log.turns(id));
  assert.deepEqual(lines.at(-1), { end: { turns: 2, entries: entries.length, blobs: 0 } });
  assert.equal(lines.length, entries.length + 4);
});

Deno.test("openExport() as JSONL has every branch, and Markdown the path in view", async () => {
  await using fixture = await open();
  const { id } = await fixture.book.create();
  await fixture.storage.database.write([
    insertTurn(id, "A", null),
    insertTurn(id, "B", "A", { n: 2 }),
    insertTurn(id, "C", "A", { n: 2 }),
    insertEntry(id, 1, { turn: "A", data: '{"text":"first"}' }),
    insertEntry(id, 2, { turn: "B", data: '{"text":"aside"}' }),
    insertEntry(id, 4, { turn: "C", data: '{"text":"shown"}' }),
    { sql: "update conversations set head = 'C', last_seq = 4, turn_count = 3 where id = ?", args: [id] },
  ]);
  const lines = await linesOf(fixture, id);
  assert.deepEqual(of(lines, "turn").map((turn) => turn.id), ["A", "B", "C"]);
  assert.deepEqual(of(lines, "entry").map((entry) => entry.seq), [1, 2, 4]);
  const markdown = await textOf(sourceOf(fixture), id, { format: "md", timeZone: "UTC" });
  assert.ok(markdown.includes("first") && markdown.includes("shown") && !markdown.includes("aside"));
  assert.match(markdown, /version 2 of 2/);
  assert.match(markdown, /- Not here: 1 turn of other versions/);
});

Deno.test("openExport() as JSONL: a line reads back as exactly the stored row, any row", async () => {
  await using fixture = await open();
  const { database } = fixture.storage;
  const text = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.constantFrom("\n", "\r\n", "\u2028", "\ud800", '"', "\\n", "\u0000x"),
  );
  // A lone half of a character cannot be stored as text; JSON writes it as an escape, as in `data`.
  const column = text.filter((each) => each.isWellFormed() && !each.includes("\0"));
  const json = fc.oneof(fc.jsonValue(), fc.dictionary(text, text)).map((value) => JSON.stringify(value));
  const rows = fc.array(
    fc.record({
      turn: fc.option(column),
      run: fc.option(column),
      parent_run: fc.option(column),
      kind: fc.oneof(fc.constantFrom("user", "text", "tool"), column),
      at: column,
      data: fc.oneof({ weight: 4, arbitrary: json }, { weight: 1, arbitrary: column }),
    }).filter(({ kind, data }) => !["user", "text"].includes(kind) || isJson(data)),
    { maxLength: 8 },
  );
  await fc.assert(
    fc.asyncProperty(rows, column, json, async (drafts, title, origin) => {
      const { id } = await fixture.book.create();
      await database.write([
        ...drafts.map((row, index) => insertEntry(id, index + 1, row)),
        lastSeq(id, drafts.length),
        { sql: "update conversations set title = ?, origin = ? where id = ?", args: [title, origin, id] },
      ]);
      const lines = await linesOf(fixture, id);
      assert.deepEqual([(lines[0] as Record<string, unknown>).title, lines[0]!.origin], [title, JSON.parse(origin)]);
      const stored = await database.read(
        "select conversation, seq, turn, run, parent_run, kind, state, at, data from entries where conversation = ? order by seq",
        [id],
      );
      const back = of(lines, "entry").map(({ data, data_text, ...entry }) => ({
        ...entry,
        data: data_text ?? JSON.stringify(data),
      }));
      const plain = stored.map((row) => ({ ...row, data: isJson(String(row.data)) ? minified(row.data) : row.data }));
      assert.deepEqual(back, plain);
    }),
    { numRuns: 60 },
  );
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const minified = (text: SqlValue | undefined) => JSON.stringify(JSON.parse(String(text)));

Deno.test("openExport() as JSONL keeps what this version does not know, and a usage that cannot be read", async () => {
  await using fixture = await open();
  const { id } = await fixture.book.create();
  const data = '{"text":"later","hologram":[1,{"x":null}]}';
  await fixture.storage.database.write([
    insertTurn(id, "A", null, { usage: "{broken", thinking: '"high"' }),
    insertEntry(id, 1, { kind: "hologram", data }),
    insertEntry(id, 2, { data }),
    lastSeq(id, 2),
  ]);
  const lines = await linesOf(fixture, id);
  assert.deepEqual(of(lines, "entry").map((entry) => [entry.kind, JSON.stringify(entry.data)]), [
    ["hologram", data],
    ["text", data],
  ]);
  const [turn] = of(lines, "turn");
  assert.deepEqual([turn!.usage, turn!.usage_text, turn!.thinking], [null, "{broken", "high"]);
});

Deno.test("openExport() as JSONL in full has the files the conversation holds, and says which are lost", async () => {
  await using fixture = await open();
  const { blobs, database } = fixture.storage;
  const { id } = await fixture.book.create();
  const other = await fixture.book.create();
  const bytes = crypto.getRandomValues(new Uint8Array(60_000));
  const kept = await blobs.put(bytes, "image/png", id);
  await blobs.put(new Uint8Array([1]), "text/plain", other.id);
  const lost = "f".repeat(64);
  await database.write([{ sql: "insert into blob_holders (hash, conversation) values (?, ?)", args: [lost, id] }]);
  const lines = await linesOf(fixture, id, true);
  const found = of(lines, "blob");
  assert.deepEqual(found.map((blob) => [blob.hash, blob.media_type, blob.bytes]), [
    [kept, "image/png", 60_000],
    [lost, null, null],
  ]);
  assert.deepEqual(Uint8Array.fromBase64(String(found[0]!.data)), bytes);
  assert.equal(found[1]!.data, null);
  assert.deepEqual(lines.at(-1)!.end, { turns: 0, entries: 0, blobs: 2 });
  assert.equal((lines[0] as Record<string, unknown>).full, true);
  assert.deepEqual(of(await linesOf(fixture, id), "blob"), []);
});

Deno.test("openExport() as JSONL of a turn that runs gives what stands, and nothing that came later", async () => {
  await using fixture = await open();
  const { id } = await fixture.book.create();
  await fixture.log.open(id);
  await fixture.storage.database.write([insertTurn(id, "A", null, { status: "running" })]);
  const answer = fixture.log.appendOpen(id, { turn: "A", kind: "text", data: { text: "Half an " } });
  await answer.durable;
  answer.extend("answ");
  const { pieces } = await openExport(sourceOf(fixture), id, { format: "jsonl" });
  await fixture.storage.database.write([insertTurn(id, "B", "A")]);
  await fixture.log.append(id, { turn: "B", kind: "notice", data: { text: "Later", level: "info" } });
  const lines: Line[] = (await Array.fromAsync(pieces)).join("").trimEnd().split("\n").map((line) => JSON.parse(line));
  assert.deepEqual(of(lines, "turn").map((turn) => [turn.id, turn.status]), [["A", "running"]]);
  assert.deepEqual(of(lines, "entry").map((entry) => [entry.seq, entry.state, entry.data]), [
    [1, "open", { text: "Half an answ" }],
  ]);
  await answer.close();
});

/** A source that writes down how many rows each read gave. */
function counted(source: ExportSource): { source: ExportSource; reads: number[] } {
  const reads: number[] = [];
  const { database, blobs } = source.storage;
  const read = async (sql: string, args?: readonly SqlValue[]) => {
    const rows = await database.read(sql, args);
    reads.push(rows.length);
    return rows;
  };
  return { source: { ...source, storage: { database: { ...database, read }, blobs } }, reads };
}

async function longConversation(fixture: TurnFixture, entries: number): Promise<string> {
  const { id } = await fixture.book.create();
  await fixture.storage.database.write([
    insertTurn(id, "A", null),
    ...Array.from({ length: entries }, (_, index) => insertEntry(id, index + 1, { turn: "A" })),
    lastSeq(id, entries),
  ]);
  return id;
}

Deno.test("openExport() as JSONL reads in pages, each when it is asked for", async () => {
  await using fixture = await open();
  const entries = EXPORT_PAGE * 3;
  const id = await longConversation(fixture, entries);
  const { source, reads } = counted(sourceOf(fixture));
  const { pieces } = await openExport(source, id, { format: "jsonl" });
  const atFirst = reads.length;
  let lines = 0;
  for await (const piece of pieces) {
    const held = piece.split("\n").length - 1;
    assert.ok(held <= EXPORT_PAGE);
    lines += held;
    assert.ok(reads.slice(atFirst).reduce((sum, rows) => sum + rows, 0) <= lines);
  }
  assert.equal(lines, entries + 3);
  assert.ok(Math.max(...reads) <= EXPORT_PAGE);
  assert.ok(reads.length > 4);
});

Deno.test("openExport() reads nothing more once whoever asked has left", async () => {
  await using fixture = await open();
  const id = await longConversation(fixture, EXPORT_PAGE * 3);
  for (const format of ["jsonl", "md"] as const) {
    const { source, reads } = counted(sourceOf(fixture));
    const { pieces } = await openExport(source, id, { format });
    await pieces.next();
    await pieces.next();
    const soFar = reads.length;
    await pieces.return(undefined);
    assert.deepEqual(await pieces.next(), { done: true, value: undefined });
    assert.equal(reads.length, soFar);
  }
});

Deno.test("openExport() as Markdown is the fold of all its entries", async () => {
  await using fixture = await open();
  const { id } = await fixture.book.create({ title: "Noon" });
  await talk(fixture, id, "What time is it?", "And now?");
  const { path, ...conversation } = await fixture.book.get(id);
  const { items } = await fixture.log.entries(id, { limit: 500 });
  const markdown = await textOf(sourceOf(fixture), id, { format: "md", timeZone: "UTC" });
  assert.equal(markdown, foldMarkdown(conversation, foldEntries(path, items), { timeZone: "UTC" }));
  assert.match(
    markdown,
    /^# Noon\n[\s\S]*\n## Turn 1 [\s\S]*### You\n\nWhat time is it\?\n\n### Answer\n\nIt is \*\*noon\*\*\n/,
  );
  assert.match(markdown, /\n## Turn 2 /);
});

Deno.test("openExport() as Markdown in full reads whole results from their files", async () => {
  await using fixture = await open();
  const { id } = await fixture.book.create();
  const whole = `${"tide ".repeat(20_000)}the end`;
  const hash = await fixture.storage.blobs.put(new TextEncoder().encode(whole), "text/plain", id);
  const tool = { call: "c", name: "read", toolset: "t", arguments: {}, status: "done", result: whole.slice(0, 5000) };
  await fixture.storage.database.write([
    insertTurn(id, "A", null),
    insertEntry(id, 1, { turn: null, kind: "notice", data: '{"text":"Before it all","level":"info"}' }),
    insertEntry(id, 2, {
      turn: "A",
      kind: "tool",
      data: JSON.stringify({ ...tool, result_ref: `/payloads/${hash}`, result_bytes: 9 }),
    }),
    insertEntry(id, 3, {
      turn: "A",
      kind: "tool",
      data: JSON.stringify({ ...tool, result_ref: `/payloads/${"0".repeat(64)}` }),
    }),
    { sql: "update conversations set head = 'A', last_seq = 3, turn_count = 1 where id = ?", args: [id] },
  ]);
  const full = await textOf(sourceOf(fixture), id, { format: "md", full: true });
  assert.ok(full.includes(`\`\`\`\n${whole}\n\`\`\``));
  assert.match(full, /The whole result could not be read/);
  assert.ok(full.indexOf("Before it all") < full.indexOf("## Turn 1"));
  const short = await textOf(sourceOf(fixture), id, { format: "md" });
  assert.ok(!short.includes("the end"));
  assert.match(short, /Cut here: 4,000 characters of a text of 9 bytes/);
});

Deno.test("openExport() as Markdown says that a turn was cut off", async () => {
  await using fixture = await open();
  const { id } = await fixture.book.create();
  const tool = {
    call: "c",
    name: "read",
    toolset: "t",
    arguments: "{half",
    status: "interrupted",
    result: INTERRUPTED,
  };
  await fixture.storage.database.write([
    insertTurn(id, "A", null, { status: "interrupted" }),
    insertEntry(id, 1, { turn: "A", kind: "tool", data: JSON.stringify(tool) }),
    { sql: "update conversations set head = 'A', last_seq = 1, turn_count = 1 where id = ?", args: [id] },
  ]);
  const markdown = await textOf(sourceOf(fixture), id, { format: "md" });
  assert.match(markdown, /Interrupted, it may have run\n\nArguments:\n\n```\n\{half\n```/);
  assert.match(markdown, /> \*\*Interrupted\.\*\*/);
});

Deno.test("openExport() throws ConversationNotFound, also for one that was deleted", async () => {
  await using fixture = await open();
  const { id } = await fixture.book.create();
  await fixture.book.delete(id);
  for (const each of [id, "nowhere"]) {
    for (const format of ["md", "jsonl"] as const) {
      await assert.rejects(openExport(sourceOf(fixture), each, { format }), ConversationNotFound);
    }
  }
});

Deno.test("openExport() of a conversation without a turn is whole", async () => {
  await using fixture = await open();
  const { id } = await fixture.book.create();
  assert.equal((await linesOf(fixture, id)).length, 2);
  assert.match(await textOf(sourceOf(fixture), id, { format: "md" }), /- Totals: no turns\n$/);
});
