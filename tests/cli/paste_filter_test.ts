import assert from "node:assert/strict";
import fc from "fast-check";
import { PasteFilter } from "../../cli/paste_filter.ts";

const paste = (text: string) => `\u001b[200~${text}\u001b[201~`;

Deno.test("PasteFilter lets keys through as they are", () => {
  const keys = "abc\r\u001b[A\u0003\t\u007f";
  assert.equal(new PasteFilter().push(keys), keys);
});

Deno.test("PasteFilter keeps pasted newlines from sending, and gives them back with the line", () => {
  const filter = new PasteFilter();
  assert.equal(filter.push(paste("one\ntwo\r\nthree\rfour")), "one⏎two⏎three⏎four");
  assert.equal(filter.restore("one⏎two⏎three⏎four!"), "one\ntwo\nthree\nfour!");
});

Deno.test("PasteFilter leaves a mark that was typed, not pasted, alone", () => {
  const filter = new PasteFilter();
  filter.restore(filter.push(paste("a\nb")));
  assert.equal(filter.restore("⏎ is the return key"), "⏎ is the return key");
});

Deno.test("PasteFilter makes no key of what is pasted", () => {
  assert.equal(new PasteFilter().push(paste("a\u0003b\u001b[Ac\td\u0004")), "abc  d");
});

Deno.test("PasteFilter lets the escape key through at once", () => {
  assert.equal(new PasteFilter().push("\u001b"), "\u001b");
});

Deno.test("PasteFilter gives the same wherever the input is cut, but right after an escape", () => {
  const parts = fc.array(fc.oneof(fc.string(), fc.string().map(paste)), { maxLength: 5 });
  fc.assert(fc.property(parts, fc.array(fc.nat(12)), (pieces, cuts) => {
    const whole = pieces.join("");
    const cut = new PasteFilter();
    let rest = whole;
    let out = "";
    for (const length of cuts) {
      const end = rest[length - 1] === "\u001b" ? length + 1 : length;
      out += cut.push(rest.slice(0, end));
      rest = rest.slice(end);
    }
    assert.equal(out + cut.push(rest), new PasteFilter().push(whole));
  }));
});
