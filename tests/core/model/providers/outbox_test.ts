import assert from "node:assert/strict";
import fc from "fast-check";
import { Outbox } from "../../../../core/model/providers/outbox.ts";
import type { ModelEvent } from "../../../../core/model/mod.ts";

type Put =
  | { readonly kind: "text" | "thinking"; readonly text: string }
  | { readonly kind: "arguments"; readonly call: string; readonly text: string }
  | { readonly kind: "refusal"; readonly text: string };

const PUT: fc.Arbitrary<Put> = fc.oneof(
  fc.record({ kind: fc.constantFrom("text" as const, "thinking" as const), text: fc.string({ maxLength: 4 }) }),
  fc.record({
    kind: fc.constant("arguments" as const),
    call: fc.constantFrom("a", "b"),
    text: fc.string({ maxLength: 4 }),
  }),
  fc.record({ kind: fc.constant("refusal" as const), text: fc.string({ maxLength: 4 }) }),
);

function put(out: Outbox, each: Put): void {
  switch (each.kind) {
    case "text":
      return out.text(each.text);
    case "thinking":
      return out.thinking(each.text);
    case "arguments":
      return out.toolArguments(each.call, each.text);
    case "refusal":
      return out.push({ type: "refusal", text: each.text });
    default:
      return each satisfies never;
  }
}

/** Characters with what they are part of: the same for any way of joining. */
function flatten(events: readonly ModelEvent[]): readonly string[] {
  return events.flatMap((event) => {
    if (event.type === "refusal") return [`refusal ${event.text}`];
    if (event.type === "text" || event.type === "thinking") {
      return [...event.text].map((each) => `${event.type} ${each}`);
    }
    if (event.type === "tool_arguments") return [...event.text].map((each) => `${event.call} ${each}`);
    return [event.type];
  });
}

Deno.test("Outbox joins adjacent pieces of one thing into one event", () => {
  const out = new Outbox();
  for (const piece of ["Ma", "la", "ma"]) out.text(piece);
  out.toolArguments("a", "{");
  out.toolArguments("a", "}");
  out.toolArguments("b", "{}");
  assert.deepEqual(out.take(), [
    { type: "text", text: "Malama" },
    { type: "tool_arguments", call: "a", text: "{}" },
    { type: "tool_arguments", call: "b", text: "{}" },
  ]);
});

Deno.test("Outbox drops empty pieces and gives nothing twice", () => {
  const out = new Outbox();
  out.text("");
  out.thinking("");
  out.toolArguments("a", "");
  assert.deepEqual(out.take(), []);
  out.text("x");
  assert.equal(out.take().length, 1);
  assert.deepEqual(out.take(), []);
});

Deno.test("Outbox keeps order and content however often it is taken from", () => {
  fc.assert(fc.property(fc.array(PUT), fc.array(fc.boolean()), (puts, takes) => {
    const often = new Outbox();
    const once = new Outbox();
    const taken: ModelEvent[] = [];
    for (const [at, each] of puts.entries()) {
      put(often, each);
      put(once, each);
      if (takes[at]) taken.push(...often.take());
    }
    taken.push(...often.take());
    assert.deepEqual(flatten(taken), flatten(once.take()));
  }));
});
