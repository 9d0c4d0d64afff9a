import assert from "node:assert/strict";
import fc from "fast-check";
import { growMarkdown, type MarkdownDocument, parseMarkdown } from "../../../components/markdown/document.ts";
import { anyLongText, cutsOf, drawn, longText, pieces } from "./long_text.ts";

Deno.test("property: at every cut of a long text that grows, its blocks are those of one parse", () => {
  fc.assert(
    fc.property(longText, pieces, (text, sizes) => {
      let document: MarkdownDocument | undefined;
      for (const cut of cutsOf(text, sizes)) {
        document = growMarkdown(document, text.slice(0, cut), false);
        assert.deepEqual(drawn(document.blocks), drawn(parseMarkdown(text.slice(0, cut)).blocks), text.slice(0, cut));
      }
    }),
    { numRuns: 150 },
  );
});

Deno.test("property: a long text that has grown is, once final, what one parse of it is", () => {
  fc.assert(
    fc.property(anyLongText, pieces, (text, sizes) => {
      let document: MarkdownDocument | undefined;
      for (const cut of cutsOf(text, sizes)) document = growMarkdown(document, text.slice(0, cut), false);
      const final = growMarkdown(document, text, true);
      const whole = parseMarkdown(text);
      assert.deepEqual(drawn(final.blocks), drawn(whole.blocks), text);
      assert.equal(final.links, whole.links);
    }),
    { numRuns: 300 },
  );
});
