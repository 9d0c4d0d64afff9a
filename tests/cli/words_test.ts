import assert from "node:assert/strict";
import { duration as pageDuration } from "../../components/words.ts";
import { argumentSummary, clock, colophon, count, duration } from "../../cli/words.ts";
import { mayColour, styleFor } from "../../cli/style.ts";
import { ScriptedLog, USAGE } from "./scripted_log.ts";

Deno.test("duration() is exact while short and rough when long", () => {
  assert.deepEqual([0.1, 14.2, 59.94, 64, 3599, 3661].map(duration), [
    "0.1 s",
    "14.2 s",
    "59.9 s",
    "1 min 4 s",
    "59 min 59 s",
    "1 h 1 min",
  ]);
  assert.equal(duration(-3), "0 s");
});

Deno.test("duration() says what the page says", () => {
  for (const seconds of [-1, 0, 0.001, 0.049, 0.05, 1, 6, 14.2, 59.94, 59.97, 60, 64, 119.6, 3599, 3600, 3661, 7200]) {
    assert.equal(duration(seconds), pageDuration(seconds * 1000), String(seconds));
  }
});

Deno.test("clock() counts in minutes, and in hours when there are any", () => {
  assert.deepEqual([0, 52, 61, 3723].map(clock), ["0:00", "0:52", "1:01", "1:02:03"]);
});

Deno.test("count() agrees with its number", () => {
  assert.deepEqual([count(0, "call"), count(1, "call"), count(1200, "call")], ["0 calls", "1 call", "1,200 calls"]);
});

Deno.test("argumentSummary() shows one value bare and several by name", () => {
  assert.equal(argumentSummary({ expression: "2+2" }, 40), "2+2");
  assert.equal(argumentSummary({ from: "CET", days: 3 }, 40), "from CET, days 3");
  assert.equal(argumentSummary({}, 40), "");
  assert.equal(argumentSummary("{not json", 40), "{not json");
  assert.equal(argumentSummary({ text: "a\nb".repeat(100) }, 10).length, 10);
});

function line(change: Partial<typeof USAGE>, model = "ollama:qwen3:8b"): string {
  return colophon({ ...new ScriptedLog().turn(), model, usage: { ...USAGE, ...change } });
}

Deno.test("colophon() says what is not known instead of showing zero", () => {
  assert.equal(line({}), "ollama:qwen3:8b · 2 calls · 1.4 s · 8,412 in · 906 out · no cost");
  assert.match(line({ reported_calls: 0 }), /tokens not reported/);
  assert.match(line({ reported_calls: 1 }), /tokens of 1 of 2 calls/);
  assert.match(line({}, "openai:gpt"), /cost not known/);
  assert.match(line({ cost: 0.0123 }, "openai:gpt"), /about \$0\.0123/);
  assert.match(line({ cost: 1.234 }, "openai:gpt"), /about \$1\.23/);
});

Deno.test("colophon() of a turn without a record names the model", () => {
  assert.equal(colophon(new ScriptedLog().turn()), "demo:tour");
});

Deno.test("mayColour() keeps escape codes out of pipes, dumb terminals and where NO_COLOR asks", () => {
  const env = (values: Record<string, string>) => (name: string) => values[name];
  assert.equal(mayColour(true, env({ TERM: "xterm" })), true);
  assert.equal(mayColour(false, env({ TERM: "xterm" })), false);
  assert.equal(mayColour(true, env({ NO_COLOR: "1" })), false);
  assert.equal(mayColour(true, env({ NO_COLOR: "" })), true);
  assert.equal(mayColour(true, env({ TERM: "dumb" })), false);
});

Deno.test("styleFor() sets off each line for itself, and empty lines not at all", () => {
  assert.equal(styleFor(true).dim("a\n\nb"), "\u001b[2ma\u001b[22m\n\n\u001b[2mb\u001b[22m");
  assert.equal(styleFor(false).dim("a\n\nb"), "a\n\nb");
});
