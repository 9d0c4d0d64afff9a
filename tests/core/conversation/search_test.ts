import assert from "node:assert/strict";
import fc from "fast-check";
import { type SearchHit, searchText } from "../../../core/conversation/mod.ts";
import { SNIPPET_LENGTH } from "../../../core/conversation/snippet.ts";
import type { Database, Statement } from "../../../core/storage/mod.ts";
import { insertConversation, withStorage } from "../storage/sample_store.ts";

const NOW = new Date("2026-03-01T12:00:00Z");

/** What is in the store: `[conversation, text]`, or more about an entry. */
interface Said {
  readonly conversation?: string;
  readonly text: string;
  readonly kind?: string;
  readonly run?: string;
  readonly at?: string;
  readonly state?: string;
  readonly data?: Readonly<Record<string, unknown>>;
}

async function say(database: Database, ...all: readonly (string | Said)[]): Promise<void> {
  const said = all.map((each) => typeof each === "string" ? { text: each } : each);
  const known = new Set((await database.read("select id from conversations")).map(({ id }) => String(id)));
  const rooms = [...new Set(said.map(({ conversation = "c" }) => conversation))].filter((id) => !known.has(id));
  const seqs = await database.read("select count(*) as n from entries");
  const entries = said.map((
    { conversation = "c", text, kind = "text", run = null, at, state = "done", data },
    index,
  ) => ({
    sql: `insert into entries (conversation, seq, turn, run, kind, state, at, touched, data)
          values (?, ?, 't', ?, ?, ?, ?, 0, ?)`,
    args: [
      conversation,
      Number(seqs[0]?.n) + index + 1,
      run,
      kind,
      state,
      at ?? NOW.toISOString(),
      JSON.stringify({ text, ...kind === "user" || kind === "inbox" ? { from: "person" } : {}, ...data }),
    ],
  } satisfies Statement));
  await database.write([...rooms.map(insertConversation), ...entries]);
}

/** Runs `body` with a store in which these were said; `find` gives the plain texts of what is found. */
function withSaid(
  said: readonly (string | Said)[],
  body: (find: (words: string, limit?: number) => Promise<readonly SearchHit[]>, database: Database) => Promise<void>,
): Promise<void> {
  return withStorage(async ({ database }) => {
    await say(database, ...said);
    await body((words, limit) => searchText(database, words, { now: NOW, ...limit && { limit } }), database);
  });
}

const readable = (hits: readonly SearchHit[]) =>
  hits.map(({ snippet }) => snippet.replaceAll("\ue000", "[").replaceAll("\ue001", "]"));

Deno.test("searchText() finds a phrase whatever its case and accents, and marks it", () =>
  withSaid(["We met at the Café Mālama, by the sea"], async (find) => {
    const [hit] = await find("cafe malama");
    assert.equal(readable([hit!])[0], "We met at the [Café Mālama], by the sea");
    assert.deepEqual({ ...hit, snippet: "", score: 0 }, {
      conversation: "c",
      title: "A title",
      turn: "t",
      seq: 1,
      snippet: "",
      score: 0,
      match: "phrase",
    });
    assert.equal((await find("CAFÉ")).length, 1);
    assert.equal((await find("malama cafe")).at(0)?.match, "all_terms");
  }));

Deno.test("searchText() prefers the phrase; all terms in one message are the looser match (K-074)", () =>
  withSaid([
    { conversation: "a", text: "the red boat came late" },
    { conversation: "b", text: "a boat that is red" },
    { conversation: "d", text: "red" },
    { conversation: "d", text: "boat" },
  ], async (find) => {
    assert.deepEqual((await find("red boat")).map(({ conversation, match }) => [conversation, match]), [[
      "a",
      "phrase",
    ]]);
    const loose = await find("late red ");
    assert.deepEqual(loose.map(({ conversation, match }) => [conversation, match]), [["a", "all_terms"]]);
    assert.deepEqual(await find("late that"), [], "the terms are in two messages");
  }));

Deno.test("searchText() takes the last word as a beginning while it is being typed, after whole words", () =>
  withSaid([
    { conversation: "a", text: "the gardener" },
    { conversation: "b", text: "a garden" },
    { conversation: "d", text: "gardening is slow" },
  ], async (find) => {
    assert.deepEqual((await find("garden")).map(({ conversation }) => conversation), ["b", "d", "a"]);
    assert.deepEqual((await find("garden ")).map(({ conversation }) => conversation), ["b"], "a blank ends the word");
    assert.deepEqual(readable(await find("the g")), ["[the gardener]"]);
    assert.equal((await find("g")).length, 3);
    assert.equal((await find("arden")).length, 0, "only beginnings");
  }));

Deno.test("searchText() searches only what was said: no thinking, tools, sub-agents, nor what the loop wrote (K-060)", () =>
  withSaid([
    { text: "walrus in an answer" },
    { text: "walrus asked", kind: "user" },
    { text: "walrus into a running turn", kind: "inbox" },
    { text: "walrus thought", kind: "thinking" },
    { text: "walrus", kind: "tool", data: { name: "walrus", result: "walrus" } },
    { text: "walrus of a sub-agent", run: "r" },
    { text: "walrus of the loop", kind: "user", data: { injected: "continuation" } },
    { text: "walrus of a task", kind: "user", data: { from: "task" } },
    { text: "walrus of another agent", kind: "inbox", data: { from: "helper@garden" } },
    { text: "walrus that nobody read", kind: "undelivered" },
    { text: "walrus still being wri", state: "open" },
  ], async (_find, database) => {
    const rows = await database.read(
      "select text from entry_search where entry_search match 'walrus' order by rowid",
    );
    assert.deepEqual(rows.map(({ text }) => text), [
      "walrus in an answer",
      "walrus asked",
      "walrus into a running turn",
    ]);
  }));

Deno.test("an answer is found as soon as it is closed, and no longer once it is removed", () =>
  withSaid([{ text: "half", state: "open" }], async (find, database) => {
    await database.write([{ sql: `update entries set data = '{"text":"a narwhal, 鯨"}'` }]);
    assert.equal((await find("narwhal")).length, 0);
    await database.write([{ sql: "update entries set state = 'done'" }]);
    assert.equal((await find("narwhal")).length, 1);
    assert.equal((await find("鯨")).length, 1);
    await database.write([{ sql: "update entries set touched = 99" }]);
    await database.write([{ sql: "delete from entries" }]);
    assert.deepEqual([await find("narwhal"), await find("鯨")], [[], []]);
    for (const index of ["entry_search", "entry_grams"]) {
      await database.write([{ sql: `insert into ${index}(${index}, rank) values ('integrity-check', 1)` }]);
    }
  }));

Deno.test("searchText() shows two hits of a conversation at most, the newest, and never one of a deleted conversation", () =>
  withSaid([
    ...Array.from({ length: 5 }, (_, n) => ({ conversation: "a", text: `otter ${n}` })),
    { conversation: "b", text: "otter b" },
    { conversation: "d", text: "otter d" },
  ], async (find, database) => {
    assert.deepEqual(readable(await find("otter")), ["[otter] d", "[otter] b", "[otter] 4", "[otter] 3"]);
    await database.write([{ sql: "update conversations set deleted_at = 'now' where id = 'd'" }]);
    assert.deepEqual(readable(await find("otter")), ["[otter] b", "[otter] 4", "[otter] 3"]);
    assert.deepEqual(readable(await find("otter", 2)), ["[otter] b", "[otter] 4"]);
    await database.write([{ sql: "update conversations set deleted_at = null where id = 'd'" }]);
    assert.equal((await find("otter")).length, 4);
  }));

Deno.test("searchText() finds an old conversation behind thousands of newer matches of another one", () =>
  withSaid([
    { conversation: "old", text: "a heron once" },
    ...Array.from({ length: 2_500 }, () => ({ conversation: "long", text: "heron" })),
  ], async (find) => {
    assert.deepEqual((await find("heron")).map(({ conversation }) => conversation), ["long", "long", "old"]);
  }));

Deno.test("the score falls with age and with the looseness of the match, and orders the hits", () =>
  withSaid([
    { conversation: "a", text: "a plum", at: "2026-03-01T12:00:00Z" },
    { conversation: "b", text: "a plum", at: "2026-01-30T12:00:00Z" },
    { conversation: "d", text: "a plumber", at: "2026-03-01T12:00:00Z" },
    { conversation: "e", text: "a plumber", at: "not a time" },
  ], async (find) => {
    const hits = await find("plum");
    assert.deepEqual(hits.map(({ conversation, score }) => [conversation, score]), [
      ["a", 1],
      ["b", 0.875],
      ["d", 0.75],
      ["e", 0.5],
    ]);
    assert.equal((await find("plum a")).at(0)?.score, 0.5);
  }));

Deno.test("a snippet is one line of 200 characters at most around the match, and every mark has its partner", () =>
  withSaid([
    `${"before ".repeat(400)}\n\nthe   needle\tis here\n${"after ".repeat(400)}`,
    `${"x".repeat(5_000)} thread ${"y".repeat(5_000)}`,
    `thimble ${"🌊 ".repeat(3_000)}`,
  ], async (find) => {
    const [needle] = await find("the needle is here");
    assert.match(needle!.snippet, /^….*before \ue000the needle is here\ue001 after .*…$/);
    for (const word of ["needle", "thread", "thimble"]) {
      const [{ snippet }] = await find(word) as [SearchHit];
      assert.ok(Array.from(snippet.replace(/[\ue000\ue001]/g, "")).length <= SNIPPET_LENGTH, snippet);
      assert.match(snippet, new RegExp(`\ue000${word}\ue001`));
      assert.ok(snippet.isWellFormed());
    }
  }));

Deno.test("marks that are in the text itself are not shown as marks", () =>
  withSaid(["a \ue000fake\ue001 mark and a real one, \ue001 indeed 漢\ue000字"], async (find) => {
    assert.deepEqual(readable(await find("real")), ["a fake mark and a [real] one, indeed 漢字"]);
    assert.deepEqual(readable(await find("indeed\ue000")), ["a fake mark and a real one, [indeed] 漢字"]);
  }));

Deno.test("writing without blanks between words is found by its characters: one, two, three, and at the very end", () =>
  withSaid([
    { conversation: "a", text: "我每天早上都喜欢吃苹果" },
    { conversation: "b", text: "東京タワーのiPhoneケースを買いました。" },
    { conversation: "d", text: "ฉันชอบกินข้าวผัด" },
    { conversation: "e", text: "사과를 먹었다" },
  ], async (find) => {
    const where = async (words: string) => (await find(words)).map(({ conversation }) => conversation).join("");
    assert.equal(await where("苹果"), "a");
    assert.equal(await where("果"), "a");
    assert.equal(await where("喜欢吃"), "a");
    assert.equal(await where("吃 喜欢"), "a", "all terms");
    assert.equal((await find("吃 喜欢"))[0]?.match, "all_terms");
    assert.equal(await where("IPHONEケース"), "b");
    assert.equal(await where("タワー iphone"), "", "iPhone is no word of its own there");
    assert.equal(await where("東京"), "b");
    assert.equal(await where("ข้าว"), "d");
    assert.equal(await where("사과"), "e", "Korean has blanks; a beginning is enough");
    assert.deepEqual(readable(await find("苹果")), ["我每天早上都喜欢吃[苹果]"]);
    assert.deepEqual(readable(await find("喜欢吃")), ["我每天早上都[喜欢吃]苹果"]);
    assert.equal(await where("香蕉"), "");
  }));

Deno.test("all terms may mix writing with and without blanks", () =>
  withSaid([{ conversation: "a", text: "the train to 東京 leaves at nine" }, "東京"], async (find) => {
    const hits = await find("nine 東京");
    assert.deepEqual(hits.map(({ conversation, match }) => [conversation, match]), [["a", "all_terms"]]);
    assert.equal((await find("東京 ni")).length, 1, "the last word may be begun");
  }));

Deno.test("words that no index holds find nothing", () =>
  withSaid(['🎉 *** ((( "" \'', "a"], async (find) => {
    for (const words of ["", "   ", "🎉", '"', "*** (", "\0", "\ue000\ue001"]) assert.deepEqual(await find(words), []);
  }));

Deno.test("nothing that is typed can break a search", () =>
  withStorage(async ({ database }) => {
    await say(database, 'near and or not text:column ^first a* (b) {c} "quoted" it\'s -x +y 1,2 中文 العربية שלום 🌊');
    const pieces = fc.constantFrom(
      ..."\" ' * ( ) { } [ ] ^ : + - , . ; \\ / % _ ? ! ~ | & \0 \ue000 \ue001 \u202e \ud83c \udf0a 🌊 中 文 العربية שלום"
        .split(" "),
      ...' |\n|\t|AND|OR|NOT|NEAR(|NEAR(a b, 5)|text:|entry_search|a*|"a"|--|/*|*/|\';drop table entries;|é|e\u0301'
        .split("|"),
    );
    const typed = fc.oneof(
      fc.array(pieces, { maxLength: 12 }).map((all) => all.join("")),
      fc.array(pieces, { maxLength: 12 }).map((all) => all.join(" ")),
      fc.string({ unit: "binary", maxLength: 40 }),
      fc.string({ unit: "grapheme", maxLength: 40 }),
    );
    await fc.assert(
      fc.asyncProperty(typed, async (words) => {
        for (const { snippet } of await searchText(database, words, { now: NOW })) {
          assert.equal(snippet.split("\ue000").length, snippet.split("\ue001").length);
        }
      }),
      { numRuns: 300 },
    );
    for (
      const long of [
        "a".repeat(10_000),
        "a ".repeat(5_000),
        '"'.repeat(10_000),
        "中".repeat(10_000),
        "中 ".repeat(5_000),
      ]
    ) {
      await searchText(database, long, { now: NOW });
    }
  }));

Deno.test("what was said is found by any run of its words", () =>
  withStorage(async ({ database }) => {
    const word = fc.constantFrom(
      "Ebb",
      "flow",
      "naïve",
      "42",
      "It's",
      "x-ray",
      "Zürich",
      "潮",
      "満ち潮",
      "SS.",
      "(so)",
    );
    let room = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(word, { minLength: 1, maxLength: 12 }), fc.nat(), fc.nat(), async (words, a, b) => {
        const conversation = `room ${++room}`;
        await say(database, { conversation, text: words.join(" ") });
        const from = a % words.length;
        const run = words.slice(from, from + 1 + b % (words.length - from)).join(" ");
        const hits = await searchText(database, run, { now: NOW, limit: 100 });
        assert.ok(hits.some((hit) => hit.conversation === conversation && hit.match === "phrase"), run);
        await database.write([{ sql: "delete from conversations" }]);
      }),
      { numRuns: 60 },
    );
  }));
