import assert from "node:assert/strict";
import { decodeEntities } from "../../../components/markdown/entities.ts";

Deno.test("decodeEntities() knows the names that people write", () => {
  assert.equal(decodeEntities("&lt;b&gt; &amp; &quot;&apos; &copy;&nbsp;&mdash;&hellip;"), "<b> & \"' ©\u00a0—…");
  assert.equal(decodeEntities("&alpha;&Omega;&sum;&le;&ge;&rarr;&times;&euro;&frac12;&szlig;"), "αΩ∑≤≥→×€½ß");
});

Deno.test("decodeEntities() knows every number, and answers what is no character with the sign for that", () => {
  assert.equal(decodeEntities("&#65;&#x1F600;&#0;&#xD800;&#x110000;"), "A\u{1F600}\ufffd\ufffd\ufffd");
});

Deno.test("decodeEntities() leaves alone what it does not know", () => {
  for (const text of ["&nope;", "&;", "&#;", "& amp;", "&amp", "AT&T", "&-;"]) assert.equal(decodeEntities(text), text);
});

Deno.test("decodeEntities() decodes once", () => {
  assert.equal(decodeEntities("&amp;lt;"), "&lt;");
});
