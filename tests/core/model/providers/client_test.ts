/** What holds for every provider's client. */
import assert from "node:assert/strict";
import { parseModelString, PROVIDERS } from "../../../../core/model/mod.ts";
import { codecOf } from "../../../../core/model/providers/client.ts";
import { withExtras } from "../../../../core/model/providers/extras.ts";
import { allowsStrict } from "../../../../core/model/providers/structured_output.ts";
import { PROTOCOLS, startFakeProvider } from "../../../providers/mod.ts";
import { clientFor, question, take } from "./rig.ts";

const PNG = { media_type: "image/png", data: new Uint8Array([1, 2, 3]) };

Deno.test("codecOf() has a protocol for every provider but the demonstration", () => {
  for (const provider of PROVIDERS) {
    if (provider === "demo") assert.throws(() => codecOf(provider), /not served/);
    else assert.ok(["sse", "ndjson"].includes(codecOf(provider).framing));
  }
});

for (const protocol of PROTOCOLS) {
  Deno.test(`${protocol}: a picture reaches a model that sees, as base64`, async () => {
    await using provider = startFakeProvider(protocol, [{ text: "Yes" }]);
    await take(
      clientFor(provider.modelString),
      question({ messages: [{ role: "user", text: "Look", images: [PNG] }] }),
    );
    assert.ok(provider.requests[0]?.body.includes("AQID"));
  });

  Deno.test(`${protocol}: tools and pictures that a model cannot take are left out, with the flag that helps`, async () => {
    await using provider = startFakeProvider(protocol, [{ text: "Yes" }], { flags: "tools=false" });
    const warnings: string[] = [];
    const client = clientFor(provider.modelString, { onWarning: (text) => void warnings.push(text) });
    const answer = await take(client, question({ messages: [{ role: "user", text: "", images: [PNG] }] }));
    assert.equal(answer.text, "Yes");
    const body = provider.requests[0]?.body ?? "";
    assert.ok(!body.includes("AQID") && !body.includes("calculate"));
    assert.ok(body.includes("picture left out"));
    assert.match(warnings.join("\n"), /add ;tools[^]*add ;vision/);
  });

  Deno.test(`${protocol}: extra fields are in the body`, async () => {
    const flags = 'tools,extra.seed=7,extra.metadata={"a":[1,2]}';
    await using provider = startFakeProvider(protocol, [{ text: "Yes" }], { flags });
    await take(clientFor(provider.modelString));
    assert.match(provider.requests[0]?.body ?? "", /"seed":7,"metadata":\{"a":\[1,2\]\}/);
  });

  Deno.test(`${protocol}: a key that is set later is found`, async () => {
    await using provider = startFakeProvider(protocol, () => ({ text: "Yes" }));
    const keys: string[] = [];
    const client = clientFor(provider.modelString, { env: () => keys[0] });
    await take(client);
    keys.push("late-key");
    await take(client);
    const sent = provider.requests.map((request) =>
      [...request.headers.values()].some((value) => value.includes("late-key"))
    );
    assert.deepEqual(sent, [false, true]);
  });
}

Deno.test("a client's info is what it was made with", () => {
  assert.equal(clientFor("ollama:m;context=4096").info.contextWindow, 4096);
});

Deno.test("withExtras() joins objects, replaces the rest, and takes text that is not JSON as text", () => {
  const flags = {
    "extra.options": '{"b":2}',
    "extra.list": "[1]",
    "extra.word": "5m",
    "extra.bare": true,
    tools: true,
  } as const;
  const model = { ...parseModelString("ollama:m"), flags };
  assert.deepEqual(withExtras({ options: { a: 1 }, list: { c: 3 } }, model), {
    options: { a: 1, b: 2 },
    list: [1],
    word: "5m",
    bare: true,
  });
});

Deno.test("allowsStrict() wants every object closed and all of its properties required, at any depth", () => {
  const closed = (properties: Record<string, unknown>) => ({
    type: "object",
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
  });
  assert.ok(allowsStrict(closed({ a: { type: "string" }, b: { type: "array", items: closed({}) } })));
  assert.ok(!allowsStrict(closed({ a: { type: "object", properties: {} } })));
  assert.ok(!allowsStrict(closed({ a: { type: "array", items: { type: "object" } } })));
  assert.ok(!allowsStrict({ ...closed({ a: {} }), required: [] }));
  assert.ok(!allowsStrict({ anyOf: [closed({}), { type: "object" }] }));
});
