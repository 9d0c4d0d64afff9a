import assert from "node:assert/strict";
import fc from "fast-check";
import { ControlFilter, oneLine, withoutControls } from "../../cli/control_filter.ts";

// deno-lint-ignore no-control-regex
const FORBIDDEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;

const ATTACKS: readonly (readonly [string, string, string])[] = [
  ["a colour", "a\u001b[31mred\u001b[0mb", "aredb"],
  ["an eight-bit colour", "a\u009b31mb", "ab"],
  ["a cleared screen", "\u001b[2J\u001b[Hgone", "gone"],
  ["a window title", "\u001b]0;owned\u0007text", "]0;ownedtext"],
  ["a clipboard write", "\u001b]52;c;cm0gLXJm\u001b\\x", "]52;c;cm0gLXJm\\x"],
  ["a carriage return that overwrites", "delete everything\rkeep", "delete everythingkeep"],
  ["a backspace that hides", "evil\b\b\b\bgood", "evilgood"],
  ["a bell", "ding\u0007", "ding"],
  ["a reversed reading order", "user\u202egnp.exe", "usergnp.exe"],
  ["a reset", "\u001bcx", "cx"],
  ["a device query", "\u001b[6nx", "x"],
];

for (const [what, text, safe] of ATTACKS) {
  Deno.test(`withoutControls() takes the force out of ${what}`, () => assert.equal(withoutControls(text), safe));
}

Deno.test("withoutControls() leaves tabs, newlines and every script alone", () => {
  const text = "a\tb\nc é ñ 日本語 😀 👩‍👩‍👧 עברית العربية";
  assert.equal(withoutControls(text), text);
});

const piece = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.constantFrom(
    "\u001b",
    "\u001b[",
    "31m",
    "[",
    "\u009b",
    "0;1",
    "m",
    "😀",
    "\ud83d",
    "\ude00",
    "text",
    "\u001b]0;t\u0007",
  ),
);

Deno.test("ControlFilter lets no control character through, whatever comes", () => {
  fc.assert(fc.property(fc.array(piece), (pieces) => {
    const filter = new ControlFilter();
    const out = pieces.map((text) => filter.push(text)).join("") + filter.end();
    return !FORBIDDEN.test(out);
  }));
});

Deno.test("ControlFilter gives the same wherever the stream is cut", () => {
  fc.assert(fc.property(fc.array(piece), fc.array(fc.nat(40)), (pieces, cuts) => {
    const whole = pieces.join("");
    const filter = new ControlFilter();
    let out = "";
    let rest = whole;
    for (const cut of cuts) {
      out += filter.push(rest.slice(0, cut));
      rest = rest.slice(cut);
    }
    out += filter.push(rest) + filter.end();
    assert.equal(out, withoutControls(whole));
  }));
});

Deno.test("ControlFilter holds back half a character until the other half comes", () => {
  const filter = new ControlFilter();
  assert.equal(filter.push("a\ud83d"), "a");
  assert.equal(filter.push("\ude00b"), "😀b");
});

Deno.test("ControlFilter does not hold text back for a sequence that never ends", () => {
  const filter = new ControlFilter();
  const out = filter.push("\u001b[" + "1".repeat(64));
  assert.equal(out, "[" + "1".repeat(64));
});

Deno.test("oneLine() joins lines, cuts with an ellipsis and counts letters, not code units", () => {
  assert.equal(oneLine("a\n  b\tc", 20), "a b c");
  assert.equal(oneLine("abcdefgh", 4), "abc…");
  assert.equal(oneLine("😀😀😀😀", 4), "😀😀😀😀");
  assert.equal(oneLine("😀😀😀😀😀", 4), "😀😀😀…");
});
