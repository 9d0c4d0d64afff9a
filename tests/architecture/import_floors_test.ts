/**
 * The house keeps its floors: no arrow goes up, no circle, no way past a folder's face. `floors.ts` has the list.
 *
 * @module
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { type Arrow, floorOf, FLOORS, type Rule, violations } from "./floors.ts";
import { importArrows, resolvedFiles, sourceFiles } from "./import_graph.ts";

const ROOT = join(import.meta.dirname ?? ".", "../..");

Deno.test("the tree keeps its floors, faces and direction", async () => {
  const files = await sourceFiles(ROOT);
  const found = violations(files, await importArrows(ROOT, files));
  assert.deepEqual(found.map(({ rule, text }) => `${rule}: ${text}`), []);
});

Deno.test("the walk sees the tree: its files, an import, a type, a name of the import map and a worker", async () => {
  const files = await sourceFiles(ROOT);
  for (const file of ["mod.ts", "core/storage/mod.ts", "tests/architecture/import_floors_test.ts"]) {
    assert.ok(files.includes(file), file);
  }
  const arrows = await importArrows(ROOT, files);
  const has = (from: string, to: string, typeOnly: boolean) =>
    arrows.some((arrow) => arrow.from === from && arrow.to === to && arrow.typeOnly === typeOnly);
  assert.ok(has("core/storage/open.ts", "core/storage/client.ts", false));
  assert.ok(has("core/storage/open.ts", "core/storage/contract.ts", true));
  assert.ok(has("core/storage/client.ts", "core/storage/worker.ts", false), "a worker was not seen");
});

Deno.test("the walk follows the import map and dynamic imports, and leaves generated folders out", async () => {
  const root = await Deno.makeTempDir();
  const write = async (file: string, text: string) => {
    await Deno.mkdir(join(root, file, ".."), { recursive: true });
    await Deno.writeTextFile(join(root, file), text);
  };
  try {
    await write("deno.json", '{"imports":{"fresh":"./fresh/mod.ts"}}');
    await write("fresh/mod.ts", "export const page = 1;");
    await write("_fresh/built.ts", 'import "../main.ts";');
    await write(
      "core/log/mod.ts",
      '// import "../../main.ts"\nconst text = `import "../../main.ts";`;\nexport { text };',
    );
    await write(
      "main.ts",
      'import { page } from "fresh";\nexport const later = () => import("./core/log/mod.ts");\npage;',
    );
    const files = await sourceFiles(root);
    assert.deepEqual(files, ["core/log/mod.ts", "fresh/mod.ts", "main.ts"]);
    const arrows = (await importArrows(root, files)).map(({ from, to }) => `${from} ${to}`).toSorted();
    assert.deepEqual(arrows, ["main.ts core/log/mod.ts", "main.ts fresh/mod.ts"]);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
});

Deno.test("resolvedFiles() finds the files a source names by its own place", () => {
  const source =
    'new Worker(import.meta.resolve("./worker.ts"));\nnew URL(\n  "../a/b.ts",\n  import.meta.url);\nnew URL("http://x/")';
  assert.deepEqual(resolvedFiles(source), ["./worker.ts", "../a/b.ts"]);
});

Deno.test("floorOf() puts every folder of the architecture on its floor", () => {
  const level = (file: string) => floorOf(file)?.level ?? Number.NaN;
  const downward = [
    "main.ts",
    "routes/index.tsx",
    "islands/A.tsx",
    "web/a.ts",
    "core/assistant.ts",
    "toolsets/time.ts",
  ];
  const deeper = [
    "core/skill/a.ts",
    "core/turn/a.ts",
    "core/conversation/a.ts",
    "core/trigger/a.ts",
    "core/agent/a.ts",
  ];
  const deepest = ["core/tool/a.ts", "core/model/a.ts", "core/log/folds/a.ts", "core/storage/a.ts", "core/config/a.ts"];
  const levels = [...downward, ...deeper, ...deepest].map(level);
  assert.deepEqual(levels, levels.toSorted((a, b) => a - b));
  assert.equal(new Set(levels).size, levels.length);
  assert.equal(floorOf("helpers/a.ts"), null);
  assert.equal(floorOf("core/logging/a.ts"), null);
  assert.equal(new Set(FLOORS.flat()).size, FLOORS.flat().length);
});

/** The rules a small made-up graph breaks. `"a -> b"` is an import, `"a ~> b"` one of types alone. */
function broken(...graph: readonly string[]): readonly Rule[] {
  const arrows = graph.map((line): Arrow => {
    const [from = "", mark, to = ""] = line.split(" ");
    return { from, to, typeOnly: mark === "~>" };
  });
  const files = new Set(arrows.flatMap(({ from, to }) => [from, to]));
  return violations([...files], arrows).map(({ rule }) => rule);
}

Deno.test("going down, staying in a room, and tests looking anywhere are right", () => {
  const right = [
    "main.ts -> cli/mod.ts",
    "routes/index.tsx -> islands/Composer.tsx",
    "islands/Composer.tsx -> components/Button.tsx",
    "components/Markdown.tsx -> islands/Copy.tsx",
    "islands/Composer.tsx -> core/log/folds/transcript.ts",
    "islands/Composer.tsx ~> core/log/entry.ts",
    "islands/Composer.tsx -> fresh/runtime.ts",
    "web/serve.ts -> fresh/mod.ts",
    "web/serve.ts ~> core/assistant.ts",
    "core/assistant.ts -> core/turn/mod.ts",
    "core/agent/run.ts -> core/log/mod.ts",
    "core/log/log.ts -> core/log/folds/context.ts",
    "core/log/mod.ts -> core/log/log.ts",
    "core/log/log.ts -> core/storage/mod.ts",
    "toolsets/time.ts -> core/tool/mod.ts",
    "toolsets/time.ts -> mod.ts",
    "mod.ts -> core/tool/mod.ts",
    "cli/serve.ts -> toolsets/mod.ts",
    "components/List.tsx ~> web/mod.ts",
    "tests/core/storage/blobs_test.ts -> core/storage/blobs.ts",
    "core/storage/mod.ts -> core/storage/blobs.ts",
  ];
  assert.deepEqual(broken(...right), []);
});

Deno.test("an arrow that goes up is found, also one of types and one between neighbours", () => {
  assert.deepEqual(broken("core/log/mod.ts -> core/model/mod.ts"), ["upward"]);
  assert.deepEqual(broken("core/storage/mod.ts ~> core/log/mod.ts"), ["upward"]);
  assert.deepEqual(broken("core/turn/mod.ts -> core/assistant.ts"), ["upward"]);
  assert.deepEqual(broken("core/mcp/mod.ts -> core/skill/mod.ts"), ["upward"]);
  assert.deepEqual(broken("web/mod.ts -> routes/index.ts"), ["upward"]);
  assert.deepEqual(broken("cli/mod.ts -> routes/index.ts"), ["upward"]);
  assert.deepEqual(broken("core/log/mod.ts -> fresh/mod.ts"), ["upward"]);
  assert.deepEqual(broken("cli/mod.ts -> tests/a.ts"), ["upward"]);
  assert.deepEqual(broken("core/tool/mod.ts -> mod.ts"), ["upward"]);
});

Deno.test("core that imports a toolset is found", () => {
  assert.deepEqual(broken("core/tool/registry.ts -> toolsets/mod.ts"), ["toolsets"]);
  assert.deepEqual(broken("core/assistant.ts -> toolsets/mod.ts"), ["toolsets"]);
});

Deno.test("a page part that imports more of core than the fold is found", () => {
  assert.deepEqual(broken("islands/Composer.tsx -> core/log/mod.ts"), ["core seen by the browser"]);
  assert.deepEqual(broken("components/List.tsx ~> core/conversation/mod.ts"), ["core seen by the browser"]);
  assert.deepEqual(broken("components/List.tsx -> web/mod.ts"), ["core seen by the browser"]);
});

Deno.test("fresh that knows the product is found", () => {
  assert.deepEqual(broken("fresh/app.ts -> web/mod.ts"), ["fresh"]);
  assert.deepEqual(broken("fresh/app.ts ~> core/log/entry.ts"), ["fresh"]);
});

Deno.test("a way past a folder's face is found, for rooms and for rooms in rooms", () => {
  const room = ["core/log/mod.ts -> core/log/log.ts", "core/log/log.ts -> core/log/folds/context.ts"];
  assert.deepEqual(broken(...room, "core/agent/run.ts -> core/log/log.ts"), ["face"]);
  assert.deepEqual(broken(...room, "core/agent/run.ts ~> core/log/folds/context.ts"), ["face"]);
  const inner = [
    "core/model/mod.ts -> core/model/providers/mod.ts",
    "core/model/providers/mod.ts -> core/model/providers/a.ts",
  ];
  assert.deepEqual(broken(...inner), []);
  assert.deepEqual(broken(...inner, "core/model/catalogue.ts -> core/model/providers/a.ts"), ["face"]);
  assert.deepEqual(broken(...inner, "core/agent/run.ts -> core/model/providers/mod.ts"), ["face"]);
  assert.deepEqual(broken("fresh/mod.ts -> fresh/app.ts", "web/serve.ts -> fresh/app.ts"), ["face"]);
});

Deno.test("a circle is found once, whatever its length, and one of types alone is none", () => {
  assert.deepEqual(broken("core/log/a.ts -> core/log/a.ts"), ["circle"]);
  assert.deepEqual(broken("core/log/a.ts -> core/log/b.ts", "core/log/b.ts -> core/log/a.ts"), ["circle"]);
  const round = ["core/log/a.ts -> core/log/b.ts", "core/log/b.ts -> core/log/c.ts", "core/log/c.ts -> core/log/a.ts"];
  assert.deepEqual(broken(...round, "core/log/x.ts -> core/log/a.ts"), ["circle"]);
  assert.deepEqual(broken(...round.slice(0, 2), "core/log/c.ts ~> core/log/a.ts"), []);
  const text = violations([], [{ from: "a", to: "b", typeOnly: false }, { from: "b", to: "a", typeOnly: false }])[0]
    ?.text;
  assert.equal(text, "a imports b imports a: a circle");
});

Deno.test("a file on no floor is found", () => {
  assert.deepEqual(broken("helpers/a.ts -> core/log/mod.ts"), ["unknown floor"]);
});
