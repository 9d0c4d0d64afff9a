import assert from "node:assert/strict";
import fc from "fast-check";
import { nearest } from "../../cli/nearest.ts";

const NAMES = ["serve", "chat", "login", "config", "agents", "toolsets", "models", "doctor"];

Deno.test("nearest() finds the name one swap, drop, insert or replacement away", () => {
  assert.equal(nearest("chta", NAMES), "chat");
  assert.equal(nearest("serv", NAMES), "serve");
  assert.equal(nearest("loggin", NAMES), "login");
  assert.equal(nearest("toolzets", NAMES), "toolsets");
  assert.equal(nearest("--prot", ["--port", "--open"]), "--port");
});

Deno.test("nearest() takes no notice of upper and lower case", () => {
  assert.equal(nearest("CHAT", NAMES), "chat");
});

Deno.test("nearest() finds nothing for a word that is like none", () => {
  assert.equal(nearest("zzzzzz", NAMES), null);
  assert.equal(nearest("", NAMES), null);
});

Deno.test("nearest() does not take a short name for a word that shares no letter with it", () => {
  assert.equal(nearest("xy", ["ab"]), null);
});

Deno.test("nearest() gives a known name back to itself, and only ever a known name", () => {
  fc.assert(fc.property(fc.constantFrom(...NAMES), (name) => nearest(name, NAMES) === name));
  fc.assert(fc.property(fc.string(), (word) => {
    const found = nearest(word, NAMES);
    return found === null || NAMES.includes(found);
  }));
});

Deno.test("nearest() finds a long name again when one letter of it is lost", () => {
  fc.assert(
    fc.property(fc.constantFrom("toolsets", "doctor", "models", "agents"), fc.nat(), (name, at) => {
      const place = at % name.length;
      return nearest(name.slice(0, place) + name.slice(place + 1), NAMES) === name;
    }),
  );
});
