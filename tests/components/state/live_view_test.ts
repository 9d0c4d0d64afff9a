import assert from "node:assert/strict";
import { Api } from "../../../components/state/api.ts";
import type { Boot } from "../../../components/state/boot.ts";
import type { Frame } from "../../../components/state/live_socket.ts";
import { LiveView } from "../../../components/state/live_view.ts";
import type { Conversation } from "../../../core/log/entry.ts";
import { CONVERSATION, entry, turn } from "../../core/log/folds/entries.ts";

const AT = "2026-11-30T09:00:00Z";
const ROW: Conversation = {
  id: CONVERSATION,
  title: "Here",
  agent: "assistant",
  model: null,
  head: "t1",
  running: false,
  pinned: false,
  unread: false,
  task: null,
  graph: null,
  origin: null,
  turns: 1,
  created_at: AT,
  updated_at: AT,
};
const PATH = [turn("t1")];

function bootOf(more: Partial<Boot> = {}): Boot {
  return {
    basePath: "",
    version: "1",
    page: "conversation",
    theme: "auto",
    side: { width: 240, rail: false },
    rows: { items: [ROW], next: null },
    model: "demo:tour",
    conversation: { ...ROW, path: PATH },
    entries: { items: [entry(5, "text", { text: "Held" })], last_seq: 5 },
    older: 5,
    now: Date.parse(AT),
    ...more,
  };
}

/** A view on a server that the test plays: sockets by hand, answers by path, time and drawings when it says so. */
function stage(boot = bootOf(), answer: (path: string) => unknown = () => ({ ...ROW, path: PATH })) {
  const sent: Record<string, unknown>[] = [];
  const asked: string[] = [];
  const heard: string[] = [];
  let timers: (() => void)[] = [];
  let drawings: (() => void)[] = [];
  let socket: { onmessage?: (event: { data: string }) => void; onclose?: () => void } | null = null;
  const api = new Api("", (input) => {
    asked.push(String(input));
    const body = answer(String(input));
    return Promise.resolve(body instanceof Response ? body : Response.json(body));
  });
  const view = new LiveView({
    boot,
    api,
    world: {
      open: () => {
        const opened = { readyState: 1, send: (text: string) => sent.push(JSON.parse(text)), close() {} };
        socket = opened as typeof socket;
        return opened as unknown as WebSocket;
      },
      now: () => 0,
      after: (_ms, then) => {
        timers.push(then);
        return () => timers = timers.filter((timer) => timer !== then);
      },
    },
    beforeDrawing: (then) => drawings.push(then),
    listener: {
      onGreeted: () => heard.push("greeted"),
      onChanged: () => heard.push("changed"),
      onGone: (id) => heard.push(`gone ${id}`),
      onNewPage: () => heard.push("new page"),
      onApprovals: (items) => Array.isArray(items) && items.length > 0 && heard.push(`approvals ${items.length}`),
      onSaid: (frame) => heard.push(`said ${frame.text ?? frame.detail}`),
      isHidden: (id) => id === "hidden",
    },
  });
  view.open("ws://here/live");
  const hear = (...frames: Frame[]) => {
    for (const frame of frames) socket!.onmessage!({ data: JSON.stringify(frame) });
    const due = drawings;
    drawings = [];
    due.forEach((draw) => draw());
  };
  /** Lets timers that are due run, and what they asked for be answered. */
  const settle = async () => {
    const due = timers;
    timers = [];
    due.forEach((timer) => timer());
    for (let n = 0; n < 10; n++) await Promise.resolve();
    await new Promise((next) => setTimeout(next, 0));
  };
  return { view, sent, asked, heard, hear, settle, drawings: () => drawings.length, drop: () => socket!.onclose!() };
}

const hello = (more: Record<string, unknown> = {}): Frame => ({ op: "hello", page: "p1", ...more });
const delta = (seq: number, at: number, text: string): Frame => ({
  op: "delta",
  conversation: CONVERSATION,
  seq,
  at,
  text,
});
const texts = (view: LiveView) =>
  view.transcript.value.turns.flatMap(({ blocks }) =>
    blocks.map((block) => block.kind === "text" ? block.data.text : block.kind)
  );

Deno.test("each greeting watches again from the cursor, the second one asks for the path too", async () => {
  const { sent, asked, hear, settle, heard, drop } = stage();
  hear(hello());
  assert.deepEqual(sent, [{ op: "watch", conversation: CONVERSATION, after: 5 }]);
  await settle();
  assert.deepEqual(asked, [], "the page has just been drawn from it");
  hear({ op: "entries", conversation: CONVERSATION, items: [entry(6, "text", { text: "New" })], last_seq: 6 });
  drop();
  await settle();
  hear(hello());
  assert.deepEqual(sent.at(-1), { op: "watch", conversation: CONVERSATION, after: 6 });
  await settle();
  assert.deepEqual(asked, [`/api/conversations/${CONVERSATION}`]);
  assert.equal(heard.filter((what) => what === "greeted").length, 2);
});

Deno.test("a turn that ran when the page was drawn is asked about at the first greeting", async () => {
  const running = turn("t1", { status: "running", ended_at: null });
  const { view, hear, settle } = stage(bootOf({ conversation: { ...ROW, path: [running] } }));
  hear(hello());
  await settle();
  assert.equal(view.transcript.value.turns[0]!.turn.status, "done");
});

Deno.test("entries of turns before those the page came with bring the whole path along", async () => {
  const path = [turn("t0"), turn("t1", { parent: "t0", n: 2 })];
  const old = entry(2, "text", { text: "Old" }, { turn: "t0" });
  const { view } = stage(
    bootOf({ conversation: { ...ROW, path: path.slice(1) } }),
    (url) => url.includes("/entries") ? { items: [old], last_seq: 5 } : { ...ROW, path },
  );
  assert.deepEqual(texts(view), ["Held"]);
  await view.moreEntries();
  assert.deepEqual(texts(view), ["Old", "Held"]);
});

Deno.test("many frames are taken in with one drawing, in order", () => {
  const { view, hear, drawings } = stage();
  hear(hello());
  const open = entry(6, "text", { text: "" }, { state: "open" });
  const frames: Frame[] = [{ op: "entries", conversation: CONVERSATION, items: [open], last_seq: 6 }];
  for (let n = 0; n < 20; n++) frames.push(delta(6, n, "x"));
  hear(...frames);
  assert.equal(drawings(), 0);
  assert.deepEqual(texts(view), ["Held", "x".repeat(20)]);
});

Deno.test("a gap is asked for again from before it", () => {
  const { view, sent, hear } = stage();
  hear(hello());
  hear({
    op: "entries",
    conversation: CONVERSATION,
    items: [entry(6, "text", { text: "a" }, { state: "open" })],
    last_seq: 6,
  });
  hear(delta(6, 5, "lost before"));
  assert.deepEqual(sent.slice(1), [
    { op: "unwatch", conversation: CONVERSATION },
    { op: "watch", conversation: CONVERSATION, after: 5 },
  ]);
  hear({ op: "entries", conversation: CONVERSATION, items: [entry(6, "text", { text: "a bcd" })], last_seq: 6 });
  assert.deepEqual(texts(view), ["Held", "a bcd"]);
  assert.equal(sent.length, 3);
});

Deno.test("the answer to a watch may come in pieces, and holes in it are where something was deleted", () => {
  const { view, sent, hear } = stage();
  hear(hello());
  const page = (seq: number): Frame => ({
    op: "entries",
    conversation: CONVERSATION,
    items: [entry(seq, "text", { text: String(seq) })],
    last_seq: seq,
  });
  hear(page(8), page(12));
  assert.deepEqual(texts(view), ["Held", "8", "12"]);
  assert.equal(sent.length, 1, "nothing is asked for again");
});

Deno.test("an entry of a turn it has not heard of makes it ask for the path", async () => {
  const path = [...PATH, turn("t2", { parent: "t1", n: 2 })];
  const { view, asked, hear, settle } = stage(bootOf(), () => ({ ...ROW, head: "t2", path }));
  hear({
    op: "entries",
    conversation: CONVERSATION,
    items: [entry(6, "user", { text: "Next", images: [], from: "person" }, { turn: "t2" })],
    last_seq: 6,
  });
  assert.deepEqual(texts(view), ["Held"]);
  await settle();
  assert.equal(asked.length, 1);
  assert.deepEqual(texts(view), ["Held", "user"]);
});

Deno.test("a path that was overtaken by a move of the head is asked for again", async () => {
  let answers = 0;
  const world = stage(bootOf(), (path) => {
    if (path.includes("/entries")) return { items: [], last_seq: 5 };
    if (answers++ === 0) {
      world.hear({ op: "head", conversation: CONVERSATION, head: "t9" });
      return { ...ROW, path: PATH };
    }
    return { ...ROW, head: "t9", path: [turn("t9")] };
  });
  world.hear(hello());
  world.hear(hello());
  await world.settle();
  await world.settle();
  assert.equal(answers, 2);
  assert.equal(world.view.transcript.value.head, "t9");
});

Deno.test("a conversation that is gone is told, whether a frame says so or the server no longer knows it", async () => {
  const first = stage();
  first.hear({ op: "conversation_removed", conversation: CONVERSATION });
  assert.ok(first.heard.includes(`gone ${CONVERSATION}`));
  const second = stage(bootOf(), () => Response.json({ title: "No", detail: "No" }, { status: 404 }));
  second.hear(hello());
  second.hear(hello());
  await second.settle();
  assert.ok(second.heard.includes(`gone ${CONVERSATION}`));
});

Deno.test("a conversation in view that was deleted and brought back is watched again", async () => {
  const { view, hear, sent, asked, settle } = stage();
  hear(hello(), { op: "conversation_removed", conversation: CONVERSATION });
  sent.length = 0;
  view.takeBack({ ...ROW, id: "other" });
  assert.deepEqual(sent, []);
  view.takeBack(ROW);
  assert.deepEqual(sent, [{ op: "watch", conversation: CONVERSATION, after: 5 }]);
  assert.ok(view.rows.value.some(({ id }) => id === CONVERSATION));
  await settle();
  assert.deepEqual(asked, [`/api/conversations/${CONVERSATION}`]);
});

Deno.test("another page than the one that greeted first is told, once it is another", () => {
  const { heard, hear } = stage();
  hear(hello());
  hear(hello());
  assert.ok(!heard.includes("new page"));
  hear(hello({ page: "p2" }));
  assert.ok(heard.includes("new page"));
});

Deno.test("rows come from the greeting and from frames; one that is hidden stays away", () => {
  const { view, hear } = stage();
  const other = { ...ROW, id: "other", updated_at: "2026-11-30T10:00:00Z" };
  hear(hello({ conversations: [other, ROW] }));
  assert.deepEqual(view.rows.value.map(({ id }) => id), ["other", CONVERSATION]);
  hear({ op: "conversation", conversation: { ...ROW, title: "Renamed", updated_at: "2026-11-30T11:00:00Z" } });
  assert.equal(view.conversation.value?.title, "Renamed");
  assert.equal(view.rows.value[0]!.title, "Renamed");
  hear({ op: "conversation", conversation: { ...ROW, id: "hidden" } });
  assert.equal(view.rows.value.length, 2);
});

Deno.test("older entries are put before the others, and asking may be done again after a failure", async () => {
  let fails = true;
  const { view, asked } = stage(bootOf(), (path) => {
    if (!path.includes("/entries")) return { ...ROW, path: PATH };
    if (fails) return Response.json({ title: "No", detail: "Later" }, { status: 503 });
    return { items: [entry(2, "text", { text: "Old" })], last_seq: 5 };
  });
  await assert.rejects(view.moreEntries(), /Later/);
  assert.equal(view.history.older.value, 5);
  fails = false;
  await view.moreEntries();
  assert.deepEqual(texts(view), ["Old", "Held"]);
  assert.equal(view.history.older.value, null);
  await view.moreEntries();
  assert.deepEqual(asked.filter((path) => path.includes("/entries")).length, 2);
});

Deno.test("alerts and errors are handed on, unknown frames are not", () => {
  const { heard, hear } = stage();
  hear({ op: "alert", text: "Done" }, { op: "error", detail: "No such graph" }, { op: "weather" });
  assert.deepEqual(heard, ["said Done", "said No such graph", "changed"]);
});
