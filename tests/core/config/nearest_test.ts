import assert from "node:assert/strict";
import fc from "fast-check";
import { editDistance, nearest } from "../../../core/config/nearest.ts";

const KNOWN = ["host", "port", "auth", "allowed_hosts", "base_path"];

for (
  const [written, meant] of [
    ["prot", "port"],
    ["Port", "port"],
    ["hst", "host"],
    ["hosts", "host"],
    ["allowed_host", "allowed_hosts"],
    ["basepath", "base_path"],
    ["x", undefined],
    ["temperature", undefined],
    ["", undefined],
  ] as const
) {
  Deno.test(`nearest() takes "${written}" for ${meant === undefined ? "nothing known" : `"${meant}"`}`, () => {
    assert.equal(nearest(written, KNOWN), meant);
  });
}

Deno.test("nearest() prefers the closest, and the first of those as close", () => {
  assert.equal(nearest("aab", ["abb", "aab", "aaa"]), "aab");
  assert.equal(nearest("aac", ["aab", "aaa"]), "aab");
});

const COMMANDS = ["serve", "chat", "login", "config", "agents", "toolsets", "models", "doctor"];

Deno.test("nearest() finds the name one swap, drop, insert or replacement away", () => {
  assert.equal(nearest("chta", COMMANDS), "chat");
  assert.equal(nearest("serv", COMMANDS), "serve");
  assert.equal(nearest("loggin", COMMANDS), "login");
  assert.equal(nearest("toolzets", COMMANDS), "toolsets");
  assert.equal(nearest("--prot", ["--port", "--open"]), "--port");
});

Deno.test("nearest() finds a name by its beginning", () => {
  assert.equal(nearest("anth", ["openai", "anthropic"]), "anthropic");
  assert.equal(nearest("groqcloud", ["groq"]), "groq");
});

Deno.test("nearest() does not take a short name for a word that shares no letter with it", () => {
  assert.equal(nearest("xy", ["ab"]), undefined);
});

Deno.test("nearest() gives a known name back to itself, and only ever a known name", () => {
  fc.assert(fc.property(fc.constantFrom(...COMMANDS), (name) => nearest(name, COMMANDS) === name));
  fc.assert(fc.property(fc.string(), (word) => {
    const found = nearest(word, COMMANDS);
    return found === undefined || COMMANDS.includes(found);
  }));
});

Deno.test("nearest() finds a long name again when one letter of it is lost", () => {
  fc.assert(
    fc.property(fc.constantFrom("toolsets", "doctor", "models", "agents"), fc.nat(), (name, at) => {
      const place = at % name.length;
      return nearest(name.slice(0, place) + name.slice(place + 1), COMMANDS) === name;
    }),
  );
});

Deno.test("editDistance() counts a swap of neighbours as one", () => {
  assert.equal(editDistance("ab", "ba"), 1);
  assert.equal(editDistance("opneai", "openai"), 1);
  assert.equal(editDistance("kitten", "sitting"), 3);
});

Deno.test("editDistance() is a distance: zero only between equals, and the same both ways", () => {
  const word = fc.string({ maxLength: 8 });
  fc.assert(fc.property(word, word, (left, right) => {
    const distance = editDistance(left, right);
    assert.equal(distance === 0, left === right);
    assert.equal(distance, editDistance(right, left));
    assert.ok(distance <= Math.max(left.length, right.length));
    assert.ok(distance >= Math.abs(left.length - right.length));
  }));
});
