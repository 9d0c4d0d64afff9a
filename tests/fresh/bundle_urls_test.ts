import assert from "node:assert/strict";
import { bundleUrl, filesOf, firstFiles } from "../../fresh/bundle_urls.ts";
import { BUNDLE } from "./fake_snapshot.ts";

Deno.test("bundleUrl() escapes names and starts with the base path", () => {
  assert.equal(bundleUrl(BUNDLE, "", "boot.js"), "/_fresh/js/abc/boot.js");
  assert.equal(bundleUrl(BUNDLE, "/b", "(x)/[id] é.js"), "/b/_fresh/js/abc/(x)/%5Bid%5D%20%C3%A9.js");
});

Deno.test("filesOf() follows static imports, and lazy ones on request", () => {
  assert.deepEqual([...filesOf(BUNDLE, "islands/Box.js")], ["islands/Box.js", "chunk-1.js"]);
  assert.deepEqual([...filesOf(BUNDLE, "islands/Box.js", "with lazy ones")], [
    "islands/Box.js",
    "chunk-1.js",
    "late.js",
  ]);
});

Deno.test("filesOf() knows minified imports, exports and circles, and no text that looks like one", () => {
  const bundle = {
    ...BUNDLE,
    files: new Map([
      ["a.js", `import"./b.js";import{x as y}from"./c.js";export*from"./d.js";const s='from "nowhere"';`],
      ["b.js", `import"./a.js";`],
      ["c.js", `const t="import './x.js'"`],
      ["d.js", `import"./missing.js"`],
    ]),
  };
  assert.deepEqual([...filesOf(bundle, "a.js")].sort(), ["a.js", "b.js", "c.js", "d.js"]);
});

Deno.test("firstFiles() holds each file once, and skips islands it does not know", () => {
  const files = firstFiles(BUNDLE, ["islands/Box.tsx", "islands/Other.tsx", "islands/Gone.tsx"]);
  assert.deepEqual([...files], ["boot.js", "chunk-1.js", "islands/Box.js", "islands/Other.js"]);
});
