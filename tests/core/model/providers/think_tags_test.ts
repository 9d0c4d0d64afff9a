import assert from "node:assert/strict";
import fc from "fast-check";
import { Outbox } from "../../../../core/model/providers/outbox.ts";
import { ThinkSplitter } from "../../../../core/model/providers/think_tags.ts";
import { summary } from "./rig.ts";

function split(pieces: readonly string[], inside = false): { readonly text: string; readonly thinking: string } {
  const out = new Outbox();
  const splitter = new ThinkSplitter(out, inside);
  for (const piece of pieces) splitter.text(piece);
  splitter.end();
  const { text, thinking } = summary(out.take());
  return { text, thinking };
}

Deno.test("text between the tags is thinking, and blank space around them belongs to neither", () => {
  assert.deepEqual(split(["<think>\nI wonder.</think>\n\nI say <b>."]), { thinking: "I wonder.", text: "I say <b>." });
});

Deno.test("thinking may come more than once", () => {
  assert.deepEqual(split(["a<think>1</think>b<think>2</think>c"]), { thinking: "12", text: "abc" });
});

Deno.test("an answer that begins inside thinking needs no opening tag", () => {
  assert.deepEqual(split(["I wonder.</think>I say."], true), { thinking: "I wonder.", text: "I say." });
});

Deno.test("thinking that never ends is all thinking, and half a tag is text", () => {
  assert.deepEqual(split(["<think>on and on"]), { thinking: "on and on", text: "" });
  assert.deepEqual(split(["less <thi"]), { thinking: "", text: "less <thi" });
});

Deno.test("the split does not depend on where the text is cut", () => {
  const part = fc.constantFrom("<think>", "</think>", "<thi", "nk>", "<", "a b", "\n", "</", ">", "ā");
  fc.assert(
    fc.property(
      fc.array(part, { maxLength: 12 }),
      fc.infiniteStream(fc.integer({ min: 1, max: 5 })),
      (parts, sizes) => {
        const whole = parts.join("");
        const pieces: string[] = [];
        for (let at = 0; at < whole.length;) {
          const size = sizes.next().value ?? 1;
          pieces.push(whole.slice(at, at + size));
          at += size;
        }
        assert.deepEqual(split(pieces), split([whole]));
      },
    ),
  );
});
