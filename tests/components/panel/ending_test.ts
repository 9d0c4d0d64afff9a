import assert from "node:assert/strict";
import { endingOf } from "../../../components/panel/ending.ts";
import { cameOf, readingsOf } from "../../../components/panel/readings.ts";
import type { Entry, RoundData } from "../../../core/log/entry.ts";
import type { TurnView } from "../../../core/log/folds/transcript.ts";

function data(change: Partial<RoundData> = {}): RoundData {
  return { kind: "plain", model: "openai:m", request_bytes: 1200, ms: 4100, stop_reason: "stop", ...change };
}

const said = (stop_reason: string, tools: readonly string[] = [], error?: string) =>
  endingOf(data({ stop_reason, ...error !== undefined && { error } }), tools);

Deno.test("every provider's own reason is said in the same words", () => {
  for (const reason of ["stop", "end_turn", "STOP", "completed", ""]) {
    assert.equal(said(reason).text, "It finished by itself", reason);
  }
  for (const reason of ["length", "max_tokens", "MAX_TOKENS", "max_output_tokens"]) {
    assert.equal(said(reason).text, "It was cut off at the longest answer it may give", reason);
    assert.equal(said(reason).bad, true);
  }
  for (const reason of ["refusal", "SAFETY", "content_filter", "PROHIBITED_CONTENT"]) {
    assert.equal(said(reason).text, "It declined to answer", reason);
  }
});

Deno.test("calls are named once each, also where the provider says it only stopped", () => {
  for (const reason of ["tool_calls", "tool_use", "STOP"]) {
    const { text, tools } = said(reason, ["read_file", "run_code", "read_file"]);
    assert.deepEqual([text, tools], ["It stopped to call", ["read_file", "run_code"]]);
  }
  assert.equal(said("tool_calls").text, "It stopped to call a tool");
});

Deno.test("a failure, a stop and a reason nobody knows are three different things", () => {
  assert.deepEqual(said("failed", [], "Nothing answered"), {
    text: "It failed: Nothing answered",
    bad: true,
    tools: [],
  });
  assert.equal(said("failed", ["read_file"]).text, "It failed");
  assert.equal(said("stopped").text, "It was stopped before it ended");
  assert.equal(said("moon_phase").text, "It ended with the reason “moon_phase”");
});

const at = (ms: number) => new Date(Date.parse("2026-11-30T09:20:14Z") + ms).toISOString();

function entry(seq: number, kind: string, ms: number, more: object = {}): Entry {
  const place = { conversation: "c", turn: "t", run: null, parent_run: null, state: "done" };
  return { ...place, seq, kind, at: at(ms), data: {}, ...more } as Entry;
}

function viewOf(entries: readonly Entry[], cost?: number): TurnView {
  const rounds = entries.filter((one): one is Entry<"round"> => one.kind === "round");
  return { turn: { usage: { cost } }, entries, rounds, blocks: [] } as unknown as TurnView;
}

Deno.test("what came of a call stands between the call before and it, and is its own agent's", () => {
  const view = viewOf([
    entry(1, "user", 0),
    entry(2, "round", 1000, { data: data() }),
    entry(3, "text", 2000),
    entry(4, "text", 2000, { run: "r1" }),
    entry(5, "round", 5000, { data: data() }),
  ]);
  assert.deepEqual(cameOf(view, view.rounds, 1).map(({ seq }) => seq), [3]);
  assert.deepEqual(cameOf(view, view.rounds, 7), []);
});

Deno.test("the readings say what was reported, and when the first word came", () => {
  const usage = {
    input_tokens: 8412,
    output_tokens: 318,
    cached_tokens: 6144,
    cache_write_tokens: 0,
    reasoning_tokens: 40,
  };
  const round = entry(3, "round", 4100, { data: data({ usage }) }) as Entry<"round">;
  const came = [entry(2, "thinking", 600)];
  const readings = new Map(readingsOf(viewOf([round], 0.0123), round, came));
  assert.match(readings.get("Started")!, /^\d\d:20:14$/);
  assert.equal(readings.get("First word after"), "0.6 s");
  assert.equal(readings.get("Read"), "8,412 tokens");
  assert.equal(readings.get("of these from the cache"), "6,144");
  assert.equal(readings.get("Wrote"), "318 tokens, 78 a second");
  assert.equal(readings.get("of these thinking"), "40");
  assert.equal(readings.get("Sent"), "1.2 KB");
  assert.equal(readings.get("Cost of the whole turn"), "$0.012");
});

Deno.test("what was not reported is said, never shown as zero", () => {
  const round = entry(3, "round", 4100, { data: data({ model: "ollama:m" }) }) as Entry<"round">;
  const readings = new Map(readingsOf(viewOf([round]), round, []));
  assert.equal(readings.get("Tokens"), "not reported");
  assert.equal(readings.has("Read"), false);
  assert.equal(readings.has("First word after"), false);
  assert.equal(readings.get("Cost"), "none, it ran here");
});
