import assert from "node:assert/strict";
import { covers, readEntries, readEntry } from "../../../../core/tool/mod.ts";

Deno.test("an entry is a toolset, the same with .*, or one tool (K-181)", () => {
  assert.deepEqual(readEntry("compute"), { text: "compute", toolset: "compute", tool: null });
  assert.deepEqual(readEntry("compute.*"), { text: "compute.*", toolset: "compute", tool: null });
  assert.deepEqual(readEntry("compute.run"), { text: "compute.run", toolset: "compute", tool: "run" });
});

Deno.test("what cannot be an entry is told with what to write (K-182)", () => {
  const wrong: readonly (readonly [string, RegExp])[] = [
    ["a.b.c", /more than one dot.*"toolset\.tool"/],
    ["*", /"\*" for a toolset/],
    ["*.run", /"\*" for a toolset/],
    ["fs.wr*", /write "fs\.\*", or name each tool/],
    ["fs*", /"\*" for a toolset/],
    ["", /empty/],
    [".run", /cut off at the dot/],
    ["compute.", /cut off at the dot/],
  ];
  for (const [text, says] of wrong) {
    const problem = readEntry(text);
    assert.match(typeof problem === "string" ? problem : `"${text}" was taken`, says);
  }
});

Deno.test("a bare toolset covers every tool of it, .* the same, and nothing of another (K-181)", () => {
  for (const text of ["compute", "compute.*"]) {
    const entries = readEntries([text]);
    for (const tool of ["calculate", "run_command", "execute_python"]) assert.ok(covers(entries, "compute", tool));
    assert.ok(!covers(entries, "computer", "run_command"));
  }
  assert.ok(covers(readEntries(["compute.run_command"]), "compute", "run_command"));
  assert.ok(!covers(readEntries(["compute.run_command"]), "compute", "calculate"));
});
