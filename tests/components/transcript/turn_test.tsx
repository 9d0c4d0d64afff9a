import assert from "node:assert/strict";
import { renderToString } from "preact-render-to-string";
import { effortsBeside, readings } from "../../../components/transcript/Colophon.tsx";
import { Actions, TurnSection } from "../../../components/transcript/mod.ts";
import { newSentences } from "../../../components/transcript/speech.ts";
import type { Entry, PathTurn, Usage } from "../../../core/log/entry.ts";
import { foldEntries } from "../../../core/log/folds/transcript.ts";
import { entry, turn } from "../../core/log/folds/entries.ts";

const actions = {
  basePath: "/base",
  payload: () => Promise.reject(),
  goOn: () => {},
  now: Date.parse("2026-11-30T08:00:52Z"),
};
const said = entry(1, "user", { text: "Hello", images: [], from: "person" });

/** A turn of these entries, as the server draws it. */
function draw(entries: readonly Entry[], more: Partial<PathTurn> = {}, last = true): string {
  const view = foldEntries([turn("t1", more)], entries).turns[0]!;
  return renderToString(
    <Actions.Provider value={actions}>
      <TurnSection view={view} last={last} loose={[]} />
    </Actions.Provider>,
  );
}

/** What a reader sees of it. */
const words = (html: string) => html.replace(/<[^>]+>/g, " ").replaceAll("&lt;", "<").replace(/\s+/g, " ").trim();

const usage: Usage = {
  calls: 3,
  reported_calls: 3,
  input_tokens: 8412,
  output_tokens: 906,
  cached_tokens: 0,
  reasoning_tokens: 0,
  model_seconds: 12,
  wall_seconds: 14.2,
  models: ["ollama:marlin-14b"],
  by_agent: {},
};

Deno.test("the colophon says what was used, and what is not known", () => {
  const of = (more: Partial<Usage>) =>
    readings(turn("t1", { model: "ollama:marlin-14b", usage: { ...usage, ...more } }));
  assert.deepEqual(of({}), ["marlin-14b", "3 calls", "14.2 s", "8,412 in", "906 out", "no cost"]);
  assert.deepEqual(of({ reported_calls: 0 }), ["marlin-14b", "3 calls", "14.2 s", "tokens not reported", "no cost"]);
  assert.ok(of({ reported_calls: 2 }).includes("1 call not reported"));
  assert.ok(of({ cost: 0.041 }).includes("$0.041"));
  assert.ok(of({ models: ["openai:x"] }).includes("cost not known"));
  assert.equal(of({ models: ["ollama:a", "openai:b"], cost: 1 })[0], "a, then b");
  assert.deepEqual(readings(turn("t1", { usage: null })), ["demo:tour", "usage not recorded"]);
});

Deno.test("a turn is a section with a numbered heading, and links to itself", () => {
  const html = draw([said, entry(2, "text", { text: "**Hi**" })]);
  assert.match(html, /<article class="turn" aria-label="Turn 1">/);
  assert.match(html, /<h2 class="folio-head"><a class="folio" href="#turn-1"/);
  assert.match(html, /<div class="block prose" dir="auto"><p><strong>Hi<\/strong><\/p><\/div>/);
});

Deno.test("a person's words are text, in paragraphs, and fold when they are long", () => {
  const long = Array.from({ length: 214 }, (_, n) => `line ${n + 1}`).join("\n");
  const html = draw([entry(1, "user", { text: long, images: [], from: "person" })]);
  assert.match(html, /Show all 214 lines/);
  assert.match(html, /line 214/);
  assert.match(
    draw([entry(1, "user", { text: "<b>a</b>\n\nb", images: [], from: "person" })]),
    /<p dir="auto">&lt;b>a&lt;\/b><\/p><p dir="auto">b<\/p>/,
  );
});

Deno.test("a picture in a message is loaded from below the base path", () => {
  const image = { ref: `/images/${"a".repeat(64)}`, name: "map.png", media_type: "image/png", bytes: 9 };
  assert.match(
    draw([entry(1, "user", { text: "See", images: [image], from: "person" })]),
    /<img src="\/base\/images\/a{64}" alt="map.png"/,
  );
});

Deno.test("a tool's result is plain text, whatever it holds", () => {
  const html = draw([
    said,
    entry(2, "tool", {
      call: "c",
      name: "fetch",
      toolset: "web",
      arguments: { url: "<script>x</script>" },
      status: "done",
      result: "# Not a heading\n<b>no</b>",
      ms: 840,
    }),
  ]);
  assert.match(html, /<pre># Not a heading\n&lt;b>no&lt;\/b><\/pre>/);
  assert.match(words(html), /tool fetch <script>x<\/script> 2 lines 0\.8 s/);
});

Deno.test("each status of a call has its own word", () => {
  const line = (status: "waiting" | "running" | "failed" | "denied" | "interrupted", result?: string) =>
    words(draw([
      said,
      entry(2, "tool", { call: "c", name: "run", toolset: "t", arguments: {}, status, result }, { state: "open" }),
    ], { status: "running", ended_at: null }));
  assert.match(line("waiting"), /run waiting 0:52/);
  assert.match(line("running"), /run running 0:52/);
  assert.match(line("failed", "No answer"), /run failed No answer/);
  assert.match(line("denied", "Not now"), /run denied Not now/);
  assert.match(line("interrupted"), /run interrupted it may have run/);
});

Deno.test("a long result shows its beginning and a link to the rest", () => {
  const html = draw([
    said,
    entry(2, "tool", {
      call: "c",
      name: "read",
      toolset: "t",
      arguments: {},
      status: "done",
      result: "x".repeat(9000),
      result_ref: "/payloads/abc",
      result_bytes: 214_020,
    }),
  ]);
  assert.equal(html.match(/x{100,}/)![0].length, 4000);
  assert.match(html, /<a class="link" href="\/base\/payloads\/abc">Show the rest<\/a>/);
  assert.match(words(html), /4,000 characters of 214,020 bytes/);
});

Deno.test("a running turn says so, and an ended one how it ended", () => {
  const running = draw([said, entry(2, "text", { text: "So f" }, { state: "open" })], {
    status: "running",
    ended_at: null,
  });
  assert.match(running, /aria-busy="true"/);
  assert.match(running, /class="block prose live"/);
  assert.match(words(running), /Working, 0:52/);
  assert.doesNotMatch(running, /colophon/);
  assert.match(words(draw([said], { status: "stopped" })), /You stopped this turn\. What was written is kept Go on/);
  assert.match(
    words(draw([said], { status: "failed", failure: "The model did not answer" })),
    /Failed\. The model did not answer Try again/,
  );
  assert.match(words(draw([said], { status: "interrupted" })), /Interrupted by a restart\..*Go on/);
  assert.match(words(draw([said], { status: "refused" })), /declined to answer this/);
});

Deno.test("only the last turn offers to go on, and only where that can be", () => {
  assert.doesNotMatch(words(draw([said], { status: "stopped" }, false)), /Go on/);
  assert.doesNotMatch(words(draw([said], { status: "refused" })), /Go on|Try again/);
  assert.doesNotMatch(words(draw([said])), /Go on|Try again/);
});

Deno.test("what the log itself says about the end is not said twice", () => {
  const html = words(
    draw([said, entry(2, "notice", { text: "The budget was reached", level: "warning" })], { status: "stopped" }),
  );
  assert.match(html, /The budget was reached Go on/);
  assert.doesNotMatch(html, /You stopped this turn/);
});

Deno.test("thinking is one line, blank text draws nothing", () => {
  const html = words(
    draw([said, entry(2, "thinking", { text: "First this. Then that.", ms: 6000 }), entry(3, "text", { text: " \n" })]),
  );
  assert.match(html, /thought First this 6 s/);
  assert.doesNotMatch(draw([said, entry(3, "text", { text: " \n" })]), /prose/);
});

Deno.test("a sub-agent's own transcript stands in its card", () => {
  const html = draw([
    said,
    entry(2, "run", { agent: "scout", task: "Find the ferry. Say where from.", status: "done", model: "demo:tour" }, {
      run: "r1",
    }),
    entry(3, "text", { text: "17:40" }, { run: "r1" }),
  ]);
  assert.match(
    html,
    /<div class="nested"><p class="task-line" dir="auto">Find the ferry\. Say where from\.<\/p><div class="block prose" dir="auto"><p>17:40<\/p>/,
  );
  assert.match(words(html), /agent scout 17:40 Find the ferry/, "when it is done the line holds the answer");
});

Deno.test("messages that joined say who they are from", () => {
  const html = words(draw([
    said,
    entry(2, "inbox", { text: "Also boots", from: "person", to: "assistant" }),
    entry(3, "inbox", { text: "The table disagrees", from: "scout", to: "assistant" }),
    entry(4, "undelivered", { text: "and the bus", from: "person", to: "assistant" }),
    entry(5, "user", { text: "Go on with it", images: [], from: "person", injected: "continuation" }),
  ]));
  assert.match(html, /you, \d\d:\d\d Also boots/);
  assert.match(html, /scout The table disagrees/);
  assert.match(html, /Not delivered\. The turn ended before “and the bus” was read/);
  assert.match(html, /nudge Go on with it/);
});

Deno.test("every kind of entry is drawn without failing", () => {
  const html = words(draw([
    said,
    entry(2, "plan", { text: "1. Read", concerns: ["Where from?"] }),
    entry(3, "phase", { label: "2 of 3", detail: "the crossing" }),
    entry(4, "review", { reviewer: "critic", approved: false, reason: "Two gaps" }),
    entry(5, "image", { ref: `/images/${"b".repeat(64)}`, from: "draw_map" }),
    entry(6, "compaction", { summary: "Before", upto: 3, tokens_before: 61_200, tokens_after: 9400 }),
    entry(7, "channel", { graph: "g", channel: "news", direction: "sent", from: "editor", text: "Out" }),
    entry(8, "approval", {
      entry: 2,
      agent: "assistant",
      tool: "send",
      arguments: {},
      decision: "deny",
      by: "person",
      reason: "no",
    }),
    entry(9, "approval", {
      entry: 2,
      agent: "assistant",
      tool: "send",
      arguments: {},
      decision: "deny",
      by: "timeout",
    }),
    entry(10, "round", {
      kind: "plain",
      model: "demo:tour",
      request_bytes: 1,
      ms: 1,
      stop_reason: "end",
      error: "Broke",
    }),
  ]));
  for (
    const part of [
      "Where from?",
      "2 of 3, the crossing",
      "Not approved by critic: Two gaps",
      "made by draw_map",
      "61,200 to 9,400 tokens",
      "to news Out",
      "You denied send: “no”",
      "Nobody answered in time, so send was denied",
      "1 call failed",
    ]
  ) assert.ok(html.includes(part), part);
});

Deno.test("newSentences() says each sentence once as it ends", () => {
  const view = (text: string, state: "open" | "done", status: "running" | "done") =>
    foldEntries([turn("t1", { status, ended_at: status === "done" ? "2026-11-30T08:00:09Z" : null })], [
      entry(1, "text", { text }, { state }),
    ]).turns[0]!;
  const upto = new Map<number, number>();
  assert.deepEqual(newSentences(view("One is he", "open", "running"), upto), []);
  assert.deepEqual(newSentences(view("One is here. Two", "open", "running"), upto), ["One is here."]);
  assert.deepEqual(newSentences(view("One is here. Two", "done", "done"), upto), ["Two"]);
  assert.deepEqual(newSentences(view("One is here. Two", "done", "done"), upto), []);
});

Deno.test("versions are a named group; at the end an arrow stays and leads nowhere", () => {
  const html = draw([said], { id: "t1", siblings: ["t0", "t1"] });
  assert.match(html, /role="group" aria-label="Version 2 of 2"/);
  assert.match(html, /name="show" value="t0" aria-label="Previous version"/);
  assert.match(html, /aria-label="Next version" aria-disabled="true"/);
  assert.doesNotMatch(draw([said]), /role="group"/);
});

Deno.test("a follow-up says why it is a turn of its own", () => {
  const of = (tokens?: string[]) =>
    words(draw([entry(1, "user", { text: "And boots", images: [], from: "person", tokens })], { origin: "follow_up" }));
  assert.match(of(), /The turn before ended without reading this/);
  assert.match(of(["a", "b"]), /Two messages that the turn before ended without reading/);
});

Deno.test("what the log says about the end is known also when undelivered messages follow it", () => {
  const html = words(draw([
    said,
    entry(2, "notice", { text: "You stopped this turn", level: "info" }),
    entry(3, "undelivered", { text: "and the bus", from: "person", to: "assistant", token: "x" }),
  ], { status: "stopped" }));
  assert.equal(html.match(/stopped this turn/g)?.length, 1);
  assert.match(html, /Not delivered/);
});

Deno.test("a very long line is folded at a word, and says how much there is", () => {
  const html = draw([entry(1, "user", { text: "word ".repeat(2000), images: [], from: "person" })]);
  assert.match(html, /Show all 9,999 characters/);
  assert.match(html, /word<\/p><details class="more-said">/);
});

Deno.test("effortsBeside() gives one step up and one down, and none past the ends", () => {
  assert.deepEqual(effortsBeside(null), { more: "high", less: "low" });
  assert.deepEqual(effortsBeside("low"), { more: "medium", less: false });
  assert.deepEqual(effortsBeside("high"), { more: null, less: "medium" });
  assert.deepEqual(effortsBeside(false), { more: "low", less: null });
});

Deno.test("what stood there before it was listened to is not spoken: only the new sentences are", () => {
  const view = foldEntries([turn("t1")], [said, entry(2, "text", { text: "One. Two." })]).turns[0]!;
  assert.deepEqual(newSentences(view, new Map([[2, 5]])), ["Two."]);
});
