/** What a model once said never makes a later request one that is refused. */
import assert from "node:assert/strict";
import type { ModelMessage } from "../../../../core/model/mod.ts";
import { PROTOCOLS, startFakeProvider } from "../../../providers/mod.ts";
import { clientFor, question, take } from "./rig.ts";

const ODD_NAMES = ["", "a b", "<img src=x>", "\u001b[31m", "名前", "calculate\n", "9lives", "x".repeat(5000), "\ud800"];

const earlier: readonly ModelMessage[] = [
  { role: "user", text: "Half a character: \ud83d" },
  {
    role: "assistant",
    parts: ODD_NAMES.map((name, index) => ({
      type: "tool_call",
      call: `call_${index}`,
      name,
      arguments: { expression: "\ud800" },
    })),
  },
  ...ODD_NAMES.map((name, index): ModelMessage => ({
    role: "tool",
    call: `call_${index}`,
    name,
    result: `There is no tool "${name}"`,
    failed: true,
  })),
  { role: "user", text: "And now?" },
];

/** Every string under `key`, at any depth. */
function valuesOf(value: unknown, key: string): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    name === key && typeof inner === "string" ? [inner] : valuesOf(inner, key)
  );
}

for (const protocol of PROTOCOLS) {
  Deno.test(`${protocol}: tools a model made up go back under names that are accepted, in whole characters`, async () => {
    await using provider = startFakeProvider(protocol, [{ text: "Yes" }]);
    const answer = await take(clientFor(provider.modelString), question({ messages: earlier }));
    assert.equal(answer.text, "Yes");
    const request = provider.requests[0]!;
    const names = valuesOf(request.json, "name").concat(valuesOf(request.json, "tool_name"));
    assert.ok(names.length >= ODD_NAMES.length);
    for (const name of names) assert.match(name, /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/);
    assert.doesNotMatch(request.body, /(?<!\\)\\ud[89a-f]/);
  });
}

Deno.test("names that are fine are left alone", async () => {
  await using provider = startFakeProvider("openai-chat", [{ text: "Yes" }]);
  const messages: ModelMessage[] = [
    { role: "user", text: "hi" },
    { role: "assistant", parts: [{ type: "tool_call", call: "c", name: "get-now_2", arguments: {} }] },
    { role: "tool", call: "c", name: "get-now_2", result: "1", failed: false },
  ];
  await take(clientFor(provider.modelString), question({ messages }));
  assert.ok(provider.requests[0]!.body.includes('"get-now_2"'));
});
