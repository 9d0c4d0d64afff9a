import assert from "node:assert/strict";
import { partsOf } from "../../../components/panel/request_parts.ts";
import { pictureIn } from "../../../components/panel/picture_data.ts";
import { rootOf } from "../../../components/panel/request_tree.ts";

function lengths(request: unknown, said = "How long is each day?"): Record<string, number> {
  const text = JSON.stringify(request);
  return Object.fromEntries(partsOf(text, rootOf(text), said).map(({ name, length }) => [name, length]));
}

const size = (value: unknown) => JSON.stringify(value).length;

const earlier = [{ role: "user", content: "Three days" }, { role: "assistant", content: "Low water" }];
const now = [
  { role: "user", content: "How long is each day?" },
  { role: "assistant", content: null, tool_calls: [{ id: "1", function: { name: "run_code" } }] },
  { role: "tool", content: "3 h 33 min" },
];
const sum = (messages: readonly unknown[]) => messages.reduce((all: number, message) => all + size(message), 0);

Deno.test("a request with its instructions among the messages", () => {
  const system = { role: "system", content: "You tend things" };
  const tools = [{ type: "function", function: { name: "run_code" } }];
  assert.deepEqual(lengths({ model: "m", stream: true, messages: [system, ...earlier, ...now], tools }), {
    "instructions": size(system),
    "tools": size(tools),
    "earlier turns": sum(earlier),
    "this turn": sum(now),
  });
});

Deno.test("a request with its instructions beside the messages, and tool results said by the person's side", () => {
  const system = [{ type: "text", text: "You tend things" }];
  const result = { role: "user", content: [{ type: "tool_result", content: "3 h 33 min" }] };
  const turn = [now[0], { role: "assistant", content: [{ type: "tool_use", name: "run_code" }] }, result];
  const found = lengths({ system, messages: [...earlier, ...turn] });
  assert.equal(found.instructions, size(system));
  assert.equal(found["this turn"], sum(turn));
});

Deno.test("a request whose messages are called contents or input", () => {
  const contents = [{ role: "user", parts: [{ text: "Three days" }] }, {
    role: "user",
    parts: [{ text: "How long is each day?" }],
  }];
  const systemInstruction = { parts: [{ text: "You tend things" }] };
  assert.deepEqual(lengths({ contents, systemInstruction }), {
    "instructions": size(systemInstruction),
    "earlier turns": size(contents[0]),
    "this turn": size(contents[1]),
  });
  assert.ok(lengths({ instructions: "You tend", input: now })["this turn"]! > 0);
});

Deno.test("words with quotes and line breaks are found as they were sent; without any the last of the person begins", () => {
  const words = 'He said "so",\nthen left';
  const messages = [...earlier, { role: "user", content: words }, { role: "assistant", content: "Yes" }];
  assert.equal(lengths({ messages }, words)["earlier turns"], sum(earlier));
  assert.equal(lengths({ messages }, "not there")["earlier turns"], sum(earlier));
  assert.equal(lengths({ messages }, "")["earlier turns"], sum(earlier));
});

Deno.test("a picture counts as a fixed amount, however large its text is", () => {
  const picture = `data:image/png;base64,${"iVBORw0KGgo".padEnd(400_000, "A")}`;
  const message = { role: "user", content: [{ type: "image_url", image_url: { url: picture } }] };
  const found = lengths({ messages: [message, now[0]] });
  assert.ok(found["earlier turns"]! < 6000, String(found["earlier turns"]));
});

Deno.test("a request that holds nothing that is known is all rest", () => {
  assert.deepEqual(lengths({ prompt: "Hello" }), { "the rest": size("Hello") });
  assert.deepEqual(lengths([]), {});
});

Deno.test("pictures are told by how they begin, with their size", () => {
  const bytes = (count: number, first: readonly number[]) => {
    const made = new Uint8Array(count);
    made.set(first);
    return btoa(String.fromCharCode(...made));
  };
  const png = bytes(100, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  for (const count of [100, 101, 102]) {
    const data = bytes(count, [0xff, 0xd8, 0xff]);
    assert.deepEqual(pictureIn(data, 0, data.length), { mediaType: "image/jpeg", bytes: count });
  }
  assert.deepEqual(pictureIn(png, 0, png.length), { mediaType: "image/png", bytes: 100 });
  const url = `data:image/webp;base64,${bytes(99, [0x52])}`;
  assert.deepEqual(pictureIn(url, 0, url.length), { mediaType: "image/webp", bytes: 99 });
  for (const text of ["iVBORw0KGgo", "a".repeat(200), `/9j/ is how it begins${" and goes on".repeat(20)}`]) {
    assert.equal(pictureIn(text, 0, text.length), null, text);
  }
});
