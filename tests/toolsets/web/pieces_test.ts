import assert from "node:assert/strict";
import fc from "fast-check";
import { pieceOf } from "../../../toolsets/web/pieces.ts";

Deno.test("the pieces of a text joined are the text, none is too long, and no character is parted", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom("a", "\n", "𝄞", " ") }),
      fc.integer({ min: 2, max: 12 }),
      (text, size) => {
        const first = pieceOf(text, 1, size);
        assert(first);
        const pieces = Array.from({ length: first.of }, (_, at) => pieceOf(text, at + 1, size)?.text ?? "missing");
        assert.equal(pieces.join(""), text);
        for (const piece of pieces) assert(piece.length <= size && piece.isWellFormed());
        assert.equal(pieceOf(text, first.of + 1, size), null);
      },
    ),
  );
});

Deno.test("a piece ends with a line where one ends near", () => {
  assert.equal(pieceOf("aaaaaaaa\nbbbbbbbb", 1, 10)?.text, "aaaaaaaa\n");
  assert.equal(pieceOf("a\nbbbbbbbbbbbbbbbb", 1, 10)?.text, "a\nbbbbbbbb");
});

Deno.test("there is no piece 0, and an empty text has one", () => {
  assert.equal(pieceOf("abc", 0, 10), null);
  assert.deepEqual(pieceOf("", 1, 10), { text: "", number: 1, of: 1, from: 1, to: 0, total: 0 });
});
