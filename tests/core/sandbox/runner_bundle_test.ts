/** The runner of third parties' toolsets as one file. */
import assert from "node:assert/strict";
import * as face from "malama";
import { runnerFiles } from "../../../core/sandbox/runner_bundle.ts";

Deno.test("The runner is one file that has what the library's face has, and is made once", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const [files, again] = await Promise.all([runnerFiles(folder), runnerFiles(folder)]);
    assert.equal(files, again);
    const left = [...Deno.readDirSync(folder)].map(({ name }) => name);
    assert.equal(left.length, 2, "no half-made file is left");
    const text = await Deno.readTextFile(files.runner);
    assert.doesNotMatch(text, /^import .*from "(?!node:)/m);
    const bundled = await import(`file://${files.runner}`);
    assert.deepEqual(Object.keys(bundled).sort(), Object.keys(face).sort());
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
