import assert from "node:assert/strict";
import fc from "fast-check";
import { createFramer, type Framing } from "../../../../core/model/providers/framing.ts";

function frames(framing: Framing, pieces: readonly string[]): readonly string[] {
  const framer = createFramer(framing);
  return [...pieces.flatMap((piece) => framer.push(piece)), ...framer.end()];
}

/** The bytes cut into pieces of the given sizes, decoded as the exchange does. */
function cut(text: string, size: number): readonly string[] {
  const bytes = new TextEncoder().encode(text);
  const utf8 = new TextDecoder();
  const pieces: string[] = [];
  for (let at = 0; at < bytes.length; at += size) {
    pieces.push(utf8.decode(bytes.subarray(at, at + size), { stream: true }));
  }
  return pieces;
}

Deno.test("server-sent events: only data counts, with or without the space, comments and names are dropped", () => {
  const text = ": hi\n\nevent: ping\ndata: {}\n\ndata:1\nid: 3\n\n\n\nretry: 5\n\ndata: two\ndata: lines\n\n";
  assert.deepEqual(frames("sse", [text]), ["{}", "1", "two\nlines"]);
});

Deno.test("server-sent events: carriage returns and a missing last end mark change nothing", () => {
  assert.deepEqual(frames("sse", ["data: a\r\n\r\ndata: b\r", "\n\r\ndata: c"]), ["a", "b", "c"]);
});

Deno.test("server-sent events: an event without data is no frame", () => {
  assert.deepEqual(frames("sse", ["event: ping\n\ndata:\n\n"]), []);
});

Deno.test("lines: blank ones are dropped, the last needs no line feed", () => {
  assert.deepEqual(frames("ndjson", ['{"a":1}\n\n  \r\n{"b":2}\r\n{"c":3}']), ['{"a":1}', '{"b":2}', '{"c":3}']);
});

Deno.test("frames do not depend on where the network cuts the bytes", () => {
  const value = fc.string({ unit: "grapheme", maxLength: 12 });
  fc.assert(fc.property(fc.array(value), fc.integer({ min: 1, max: 20 }), fc.boolean(), (values, size, crlf) => {
    const end = crlf ? "\r\n" : "\n";
    const data = values.map((each) => JSON.stringify(each));
    const events = data.map((each) => `event: x${end}data: ${each}${end}${end}`).join("");
    assert.deepEqual(frames("sse", cut(events, size)), data);
    assert.deepEqual(frames("ndjson", cut(data.map((each) => each + end).join(""), size)), data);
  }));
});
