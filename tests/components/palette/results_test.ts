import assert from "node:assert/strict";
import type { Action } from "../../../components/palette/actions.ts";
import { groupsFor, readWords, type Sources } from "../../../components/palette/results.ts";
import type { Found } from "../../../components/state/api.ts";
import type { Conversation } from "../../../core/log/entry.ts";

const NOW = Date.parse("2026-11-30T12:00:00Z");

function row(id: string, title: string, updated_at = "2026-11-30T09:00:00Z"): Conversation {
  return { id, title, updated_at } as Conversation;
}

function action(id: string, title: string, keys = ""): Action {
  return { id, icon: "pen", title, keys, run: () => {} };
}

function found(change: Partial<Found> = {}): Found {
  const snippet = "the \ue000ferry\ue001 at noon";
  return { conversation: "c1", title: "Coast", turn: "t1", seq: 7, snippet, score: 1, match: "phrase", ...change };
}

function sources(change: Partial<Sources> = {}): Sources {
  return {
    basePath: "/base",
    now: NOW,
    rows: [row("c1", "Coast path"), row("c2", "Budget", "2026-11-29T09:00:00Z"), row("c3", "Ferry")],
    current: null,
    actions: [action("new", "New conversation", "Ctrl Shift O"), action("theme", "Change the theme")],
    found: [],
    beginWith: () => {},
    ...change,
  };
}

const names = (typed: string, change: Partial<Sources> = {}) =>
  groupsFor(typed, sources(change)).map(({ name }) => name);

Deno.test("with nothing typed the recent ones come first, then what can be done, then the pages", () => {
  assert.deepEqual(names(""), ["Recent", "Actions", "Pages"]);
  const [recent] = groupsFor("", sources());
  assert.deepEqual(recent!.hits.map(({ href, right }) => [href, right]), [
    ["/base/c/c1", "today"],
    ["/base/c/c2", "yesterday"],
    ["/base/c/c3", "today"],
  ]);
});

Deno.test("the conversation in view is no recent one, but is found by name", () => {
  const [recent] = groupsFor("", sources({ current: "c1" }));
  assert.deepEqual(recent!.hits.map(({ id }) => id), ["title-c2", "title-c3"]);
  const [named] = groupsFor("coast", sources({ current: "c1" }));
  assert.deepEqual(named!.hits.map(({ id }) => id), ["title-c1"]);
});

Deno.test("titles come first, then what was said, and a passage opens at its place", () => {
  const groups = groupsFor("ferry", sources({ found: [found(), found({ seq: 9, match: "all_terms" })] }));
  assert.deepEqual(groups.map(({ name }) => name), ["Conversations, 1", "In what was said, 2", "Actions"]);
  const [first, second] = groups[1]!.hits;
  assert.equal(first!.href, "/base/c/c1?at=7");
  assert.equal(first!.detail!.note, "");
  assert.deepEqual(first!.detail!.pieces[1], { text: "ferry", hit: true });
  assert.equal(second!.detail!.note, "all words: ");
});

Deno.test("after > there are actions alone, all of them or those that fit", () => {
  assert.deepEqual(readWords("> theme "), { words: "theme", actionsOnly: true });
  assert.deepEqual(names(">"), ["Actions"]);
  const [only] = groupsFor(">theme", sources({ found: [found()] }));
  assert.deepEqual(only!.hits.map(({ id }) => id), ["action-theme"]);
  assert.deepEqual(names(">nothing like it"), []);
});

Deno.test("what was typed can begin a conversation, last of the actions", () => {
  let begun = "";
  const groups = groupsFor("conversation", sources({ beginWith: (text) => begun = text }));
  const hits = groups.find(({ name }) => name === "Actions")!.hits;
  assert.deepEqual(hits.map(({ id }) => id), ["action-new", "begin"]);
  assert.equal(hits[0]!.right, "Ctrl Shift O");
  hits[1]!.run!();
  assert.equal(begun, "conversation");
});

Deno.test("a passage of a conversation that is not held has no day", () => {
  const groups = groupsFor("ferry", sources({ rows: [], found: [found({ conversation: "gone" })] }));
  assert.equal(groups[0]!.hits[0]!.right, "");
});

Deno.test("pages are found by name", () => {
  const pages = groupsFor("usage", sources()).find(({ name }) => name === "Pages");
  assert.deepEqual(pages!.hits.map(({ href }) => href), ["/base/usage"]);
});

Deno.test("every line has a name of its own, also where one conversation is found three times", () => {
  const groups = groupsFor("coast", sources({ found: [found(), found({ seq: 8 })] }));
  const ids = groups.flatMap(({ hits }) => hits.map(({ id }) => id));
  assert.equal(new Set(ids).size, ids.length);
});
