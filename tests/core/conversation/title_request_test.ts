import assert from "node:assert/strict";
import fc from "fast-check";
import {
  condense,
  OMISSION,
  type Said,
  saidIn,
  titleRequest,
  TRANSCRIPT_LENGTH,
} from "../../../core/conversation/title_request.ts";
import type { Entry, EntryKind } from "../../../core/log/mod.ts";
import { isTitleRequest } from "../../../core/model/demo/title.ts";

const said = (...texts: string[]): Said[] =>
  texts.map((text, index) => ({ seq: index + 1, who: index % 2 === 0 ? "User" : "Assistant", text }));

let seq = 0;
const entry = (kind: EntryKind, data: object, run: string | null = null): Entry =>
  ({ seq: ++seq, turn: "t", run, kind, state: "done", data }) as unknown as Entry;

Deno.test("titleRequest() stands alone", () => {
  const request = titleRequest("User: Hello");
  assert.deepEqual(Object.keys(request).toSorted(), ["messages", "system", "thinking", "tools"]);
  assert.deepEqual([request.tools, request.thinking, request.messages.length], [[], false, 1]);
  assert.ok(isTitleRequest(request), "the demonstration knows it");
});

Deno.test("saidIn() takes what both sides said, and nothing of tools, thinking, the loop or sub-agents", () => {
  const messages = saidIn([
    entry("user", { text: " Hello ", images: [], from: "person" }),
    entry("thinking", { text: "Hm" }),
    entry("text", { text: "I look" }),
    entry("tool", { call: "1", name: "t", result: "secret" }),
    entry("text", { text: "From a sub-agent" }, "r1"),
    entry("text", { text: "  " }),
    entry("notice", { text: "Stopped", level: "info" }),
    entry("user", { text: "Go on", images: [], from: "loop", injected: "continuation" }),
    entry("text", { text: "Here" }),
  ]);
  assert.deepEqual(messages.map(({ who, text }) => `${who}: ${text}`), [
    "User: Hello",
    "Assistant: I look",
    "Assistant: Here",
  ]);
});

Deno.test("condense() keeps a short conversation whole, and gives nothing for nothing", () => {
  assert.equal(condense(said("Hello", "Hi", "Bye")), "User: Hello\n\nAssistant: Hi\n\nUser: Bye");
  assert.equal(condense(said("Hello")), "User: Hello");
  assert.equal(condense([]), "");
});

Deno.test("condense() cuts one long message, so that the newest fits beside the first", () => {
  const text = condense(said("a".repeat(9_000), "b".repeat(9_000)));
  assert.match(text, /^User: a{1500} \[…\]\n\nAssistant: b{1500} \[…\]$/);
});

Deno.test("condense() keeps the first and the newest within its length, and marks what it left out", () => {
  const messages = fc.array(fc.string({ unit: "grapheme", minLength: 1, maxLength: 3_000 }), {
    minLength: 1,
    maxLength: 30,
  });
  fc.assert(
    fc.property(messages, (texts) => {
      const list = said(...texts);
      const condensed = condense(list);
      assert.ok([...condensed].length <= TRANSCRIPT_LENGTH);
      assert.ok(condensed.isWellFormed());
      const lines = list.map((each) => condense([each]));
      assert.ok(condensed.startsWith(lines[0]!));
      const kept = lines.findLastIndex((_, from) => !condensed.endsWith(lines.slice(from).join("\n\n"))) + 1;
      assert.ok(kept < lines.length, "the newest is there");
      const whole = lines.join("\n\n");
      if (condensed !== whole) {
        assert.equal(condensed, [lines[0], OMISSION, ...lines.slice(Math.max(1, kept))].join("\n\n"));
      }
    }),
    { numRuns: 60 },
  );
});
