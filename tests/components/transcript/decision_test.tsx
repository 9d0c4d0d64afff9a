/** Questions and sub-agents' cards as the server draws them, from entries made by hand. */
import assert from "node:assert/strict";
import { renderToString } from "preact-render-to-string";
import { factsOf } from "../../../components/transcript/RunCard.tsx";
import { Actions } from "../../../components/transcript/actions.ts";
import { arrangeBlocks, askedCalls } from "../../../components/transcript/lines.ts";
import { TurnSection } from "../../../components/transcript/TurnSection.tsx";
import type { ApprovalData, Entry, RunData, ToolData } from "../../../core/log/entry.ts";
import { foldEntries } from "../../../core/log/folds/transcript.ts";
import { entry, turn } from "../../core/log/folds/entries.ts";

const CALL: ToolData = {
  call: "c",
  name: "run_command",
  toolset: "compute",
  arguments: { command: "rm -r build" },
  status: "waiting",
};
const QUESTION: ApprovalData = {
  entry: 2,
  agent: "coder",
  toolset: "compute",
  tool: "run_command",
  arguments: { command: "rm -r build", env: { A: "1", B: [true, null] } },
  rule: { agent: "coder", toolset: "compute", tool: "run_command", arguments: { command: "rm -r build" } },
  expires_at: "2026-11-30T08:09:52Z",
};
const RUN: RunData = {
  agent: "researcher",
  address: "researcher#1",
  task: "Find the ferry",
  status: "running",
  model: "demo:tour",
};

function draw(entries: readonly Entry[], running = true): string {
  const status = running ? "running" : "done";
  const view = foldEntries([turn("t1", { status, ended_at: running ? null : "2026-11-30T08:00:09Z" })], entries)
    .turns[0]!;
  const actions = {
    basePath: "/base",
    payload: () => Promise.reject(new Error("none")),
    goOn: () => {},
    now: Date.parse("2026-11-30T08:00:52Z"),
  };
  return renderToString(
    <Actions.Provider value={actions}>
      <TurnSection view={view} last loose={[]} />
    </Actions.Provider>,
  );
}

const words = (html: string) =>
  html.replace(/<[^>]+>/g, " ").replaceAll("&lt;", "<").replaceAll("&quot;", '"').replaceAll("&amp;", "&").replace(
    /\s+/g,
    " ",
  ).trim();

const asked = (more: Partial<ApprovalData> = {}, state: "open" | "done" = "open") => [
  entry(2, "tool", CALL, { state: "open" }),
  entry(3, "approval", { ...QUESTION, ...more }, { state }),
];

Deno.test("a waiting question shows the whole call, what it comes from, the answers and the time left", () => {
  const html = draw(asked());
  const text = words(html);
  assert.match(text, /run_command rm -r build waiting for you/);
  assert.match(text, /coder asks to run run_command command rm -r build env A 1 B 1 true 2 null Exact JSON/);
  for (const answer of ["Allow once", "For this turn", "For this conversation", "Always…", "Deny", "Edit arguments"]) {
    assert.ok(text.includes(answer), answer);
  }
  assert.match(text, /From the toolset compute/);
  assert.match(text, /let coder run run_command with exactly these arguments/);
  assert.match(text, /Denied by itself in 9 min/);
  assert.match(text, /1 decision waiting/);
  assert.match(html, /<form class="answers" method="post" action="\/base\/c\/[^"]+">.*name="question" value="3"/);
});

Deno.test("nothing of a long argument is left out, and it scrolls by itself", () => {
  const command = Array.from({ length: 400 }, (_, n) => `line ${n}`).join("\n");
  const html = draw(asked({ arguments: { command } }));
  assert.match(html, /<pre class="long" tabindex="0" role="region" aria-label="command, all of it">line 0\n/);
  assert.ok(html.includes("line 399"));
});

Deno.test("where only this one call can be allowed, no longer allowance is offered", () => {
  const text = words(draw(asked({ rule: undefined })));
  assert.doesNotMatch(text, /For this turn|Always/);
  assert.match(text, /It can only be allowed this once/);
});

Deno.test("a card says what the code may reach, kind by kind, and what a reviewer kept from approving it", () => {
  const text = words(draw(asked({
    permissions: { net: ["mill.example:443", "b.example"], write: [] },
    verdicts: [{ reviewer: "careful", model: "m", approved: false, reason: "Nobody asked for it" }],
  })));
  assert.match(text, /Network mill.example:443 b.example Reads nothing Writes nothing/);
  assert.match(text, /Passed to you by the reviewer careful : “Nobody asked for it”/);
});

Deno.test("what cannot be seen in an argument is named", () => {
  assert.match(words(draw(asked({ arguments: { command: "a\u202eb" } }))), /command a U\+202E b/);
});

Deno.test("a decided question is one line: who, how, why, and behind it what was changed", () => {
  const line = (more: Partial<ApprovalData>) => words(draw(asked(more, "done"), false));
  assert.match(line({ decision: "allow", by: "person", scope: "once" }), /You allowed run_command, \d\d:\d\d/);
  assert.match(line({ decision: "allow", by: "person", scope: "turn" }), /You allowed run_command for this turn,/);
  assert.match(
    line({ decision: "allow", by: "person", scope: "always" }),
    /You allowed run_command from now on,.*The rule holds for exactly/,
  );
  assert.match(line({ decision: "deny", by: "person", reason: "not now" }), /You denied run_command: “not now”/);
  assert.match(line({ decision: "deny", by: "timeout" }), /Nobody answered in time, so run_command was denied/);
  assert.match(line({ decision: "deny", by: "restart" }), /Malama was started anew while this waited/);
  assert.match(
    line({ decision: "deny", by: "policy", reason: "no one is there" }),
    /denied without asking: “no one is there”/,
  );
  assert.match(
    line({ decision: "allow", by: "person", scope: "once", changed: { command: "ls" } }),
    /with other arguments,.*Those it ran with: Exact JSON \{ "command": "ls" \}.*"rm -r build"/,
  );
  assert.match(
    line({
      decision: "allow",
      by: "reviewer",
      reason: "Safe",
      verdicts: [{ reviewer: "careful", model: "m-1", approved: true, reason: "Safe" }],
    }),
    /The reviewer careful allowed run_command: “Safe”,.*Approved by the reviewer careful \( m-1 \)/,
  );
  assert.match(words(draw(asked(), false)), /The turn ended before anybody answered: run_command did not run/);
});

Deno.test("arrangeBlocks() puts a question beside its call, and leaves out the call that opened a sub-agent (K-219)", () => {
  const { blocks } = foldEntries([turn("t1")], [
    entry(1, "tool", { ...CALL, call: "a" }),
    entry(2, "tool", { ...CALL, call: "b", name: "spawn_subagent" }),
    entry(3, "approval", { ...QUESTION, entry: 1 }, { state: "open" }),
    entry(4, "run", { ...RUN, entry: 2 }, { run: "r1" }),
  ]).turns[0]!;
  assert.deepEqual(arrangeBlocks(blocks).map(({ kind, seq }) => `${kind} ${seq}`), ["tool 1", "approval 3", "run 4"]);
  assert.deepEqual([...askedCalls(blocks)], [1]);
});

Deno.test("a sub-agent's card says who, on what, with which model, and nests as deep as it goes (K-216)", () => {
  const html = draw([
    entry(2, "run", { ...RUN, thinking: "high" }, { run: "r1" }),
    entry(3, "thinking", { text: "First the board." }, { run: "r1", parent_run: null }),
    entry(4, "run", { ...RUN, agent: "reader", address: "reader#1", task: "Read the board", status: "done" }, {
      run: "r2",
      parent_run: "r1",
    }),
    entry(5, "text", { text: "One sailing, 17:40. Weather permitting." }, { run: "r2", parent_run: "r1" }),
    entry(6, "inbox", { text: "Mind the tide", from: "scout#2", to: "researcher#1" }, { run: "r1" }),
  ]);
  const text = words(html);
  assert.match(html, /<details class="block line-block" open><summary class="line">.*?researcher#1/);
  assert.match(text, /agent researcher#1 Find the ferry running/);
  assert.match(text, /agent reader#1 One sailing, 17:40 Read the board One sailing/);
  assert.match(text, /scout#2 Mind the tide/);
  assert.match(text, /researcher demo:tour effort high/);
});

Deno.test("each end of a sub-agent but a good one has its word and its reason", () => {
  const card = (more: Partial<RunData>) => words(draw([entry(2, "run", { ...RUN, ...more }, { run: "r1" })], false));
  assert.match(
    card({ status: "failed", failure: "The model did not answer" }),
    /failed .*Failed\. The model did not answer/,
  );
  assert.match(card({ status: "stopped" }), /Find the ferry stopped/);
  assert.match(card({ status: "interrupted" }), /Find the ferry interrupted/);
  assert.match(card({ status: "done", failure: "The budget was used" }), /cut short .*The budget was used/);
  assert.match(card({ status: "done", capped: true }), /cut short .*It reached its limit of model calls/);
});

Deno.test("a card's foot says what was used, and does not say what is not known", () => {
  const usage = {
    calls: 2,
    reported_calls: 2,
    input_tokens: 8412,
    output_tokens: 906,
    cached_tokens: 0,
    reasoning_tokens: 0,
    model_seconds: 3,
    wall_seconds: 14.2,
    cost: 0.0123,
    models: ["openai:marlin"],
    by_agent: {},
  };
  assert.deepEqual(factsOf({ ...RUN, status: "done", model: "openai:marlin", usage }), [
    "researcher",
    "marlin",
    "2 calls",
    "14.2 s",
    "8,412 in",
    "906 out",
    "$0.012",
  ]);
  assert.deepEqual(factsOf(RUN), ["researcher", "demo:tour"]);
});
