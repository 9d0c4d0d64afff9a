import assert from "node:assert/strict";
import fc from "fast-check";
import {
  childAt,
  childrenOf,
  type JsonNode,
  NotJson,
  rootOf,
  valueOf,
} from "../../../components/panel/request_tree.ts";

/** The value of a node, put together from its levels. */
function rebuild(text: string, node: JsonNode): unknown {
  if (node.kind === "array") return childrenOf(text, node).map((child) => rebuild(text, child));
  if (node.kind !== "object") return valueOf(text, node);
  const made: Record<string, unknown> = {};
  for (const child of childrenOf(text, node)) {
    const value = rebuild(text, child);
    Object.defineProperty(made, String(child.key), { value, enumerable: true, configurable: true, writable: true });
  }
  return made;
}

Deno.test("read level by level, the tree holds what parsing the whole gives", () => {
  fc.assert(fc.property(fc.json(), fc.boolean(), (json, isSpaced) => {
    const text = isSpaced ? JSON.stringify(JSON.parse(json), null, 2) : json;
    assert.deepEqual(rebuild(text, rootOf(text)), JSON.parse(text));
  }));
});

Deno.test("each object and array says how many values it holds", () => {
  fc.assert(fc.property(fc.json(), (json) => {
    const look = (node: JsonNode) => {
      const children = childrenOf(json, node);
      assert.equal(node.count, children.length);
      children.forEach(look);
    };
    look(rootOf(json));
  }));
});

Deno.test("quotes, backslashes and brackets inside a text are text", () => {
  const value = { 'a "b\\': 'c\\"]}', "": ["\\", "\\\\", '"'], "é": "\u2028,{" };
  const text = JSON.stringify(value);
  assert.deepEqual(rebuild(text, rootOf(text)), value);
});

Deno.test("numbers stay as they were sent, and a name that stands twice is there twice", () => {
  const text = '{"n":12345678901234567890,"n":1.50,"e":-2E+3}';
  const children = childrenOf(text, rootOf(text));
  const shown = children.map((child) => [child.key, text.slice(child.start, child.end)]);
  assert.deepEqual(shown, [["n", "12345678901234567890"], ["n", "1.50"], ["e", "-2E+3"]]);
});

Deno.test("one value is found by its name", () => {
  const text = '{ "role" : "user", "content": [] }';
  const role = childAt(text, rootOf(text), "role");
  assert.equal(valueOf(text, role!), "user");
  assert.equal(childAt(text, rootOf(text), "name"), undefined);
});

Deno.test("a text that is cut off anywhere is refused, or fails where it is read", () => {
  const text = JSON.stringify({ model: "m", messages: [{ role: "user", content: 'a "b"' }, null, true, -1.5] });
  for (let end = 0; end < text.length; end++) {
    const cut = text.slice(0, end);
    assert.throws(() => rebuild(cut, rootOf(cut)), NotJson, cut);
  }
});

Deno.test("what is no JSON says where, as a sentence", () => {
  for (const text of ["", "<html>", "{'a':1}", '{"a" 1}', '{"a":1 "b":2}', "[1 2]", "undefined"]) {
    assert.throws(() => rebuild(text, rootOf(text)), NotJson, text);
  }
  assert.throws(() => rootOf("<html>"), /^NotJson: It is not JSON from character 1 on\. Save it/);
});

Deno.test("five megabytes of pictures and a thousand messages open without being read", () => {
  const picture = "iVBORw0KGgo".padEnd(4_000_000, "A");
  const message = { role: "user", content: "word ".repeat(200) };
  const messages = [...Array.from({ length: 1000 }, () => message), { role: "user", content: [{ image: picture }] }];
  const text = JSON.stringify({ model: "m", messages });
  const began = performance.now();
  const root = rootOf(text);
  const list = childAt(text, root, "messages")!;
  assert.equal(childrenOf(text, list).length, 1001);
  const took = performance.now() - began;
  assert.ok(took < 1000, `two levels took ${took} ms`);
});
