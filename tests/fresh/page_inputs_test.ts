import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { readInputs } from "../../fresh/page_inputs.ts";

interface Folder extends AsyncDisposable {
  readonly root: string;
  write(path: string, text: string): Promise<void>;
  key(settings?: string): string;
}

async function folder(): Promise<Folder> {
  const root = await Deno.makeTempDir();
  const write = async (path: string, text: string) => {
    await Deno.mkdir(dirname(join(root, path)), { recursive: true });
    await Deno.writeTextFile(join(root, path), text);
  };
  await write(
    "deno.json",
    JSON.stringify({ imports: { words: "./lib/words.ts", "lib/": "./lib/", far: "npm:far@1" } }),
  );
  await write("app/entry.tsx", `import "./near.ts";\nimport { x } from "words";\nimport y from 'lib/deep/y.ts';`);
  await write("app/near.ts", `const late = () => import("../late.ts");\nexport * from "./barrel.ts";\nimport "far";`);
  await write("app/barrel.ts", `export { a } from "./a.ts";`);
  for (const path of ["app/a.ts", "late.ts", "lib/words.ts", "lib/deep/y.ts", "other.ts"]) await write(path, "");
  return {
    root,
    write,
    key: (settings = "production") => readInputs(join(root, "app"), [join(root, "app/entry.tsx")], settings).key,
    [Symbol.asyncDispose]: () => Deno.remove(root, { recursive: true }),
  };
}

Deno.test("the key changes with every file that is reached, however it is named", async () => {
  await using at = await folder();
  const seen = new Set([at.key()]);
  const files = ["app/near.ts", "app/barrel.ts", "app/a.ts", "late.ts", "lib/words.ts", "lib/deep/y.ts", "deno.lock"];
  for (const file of files) {
    const before = await Deno.readTextFile(join(at.root, file)).catch(() => "");
    await at.write(file, `${before}\n// changed`);
    assert.ok(!seen.has(at.key()), file);
    seen.add(at.key());
  }
});

Deno.test("the key does not change with what is not reached, nor with time", async () => {
  await using at = await folder();
  const before = at.key();
  await at.write("other.ts", "changed");
  await at.write("app/a.ts", "");
  assert.equal(at.key(), before);
});

Deno.test("the key is the same wherever the folder is", async () => {
  await using one = await folder();
  await using other = await folder();
  assert.equal(one.key(), other.key());
});

Deno.test("the key changes with the settings and with deno.json", async () => {
  await using at = await folder();
  const before = at.key();
  assert.notEqual(at.key("development"), before);
  await at.write("deno.json", "{}");
  assert.notEqual(at.key(), before);
});

Deno.test("a file that imports itself, or one that is missing, is no trouble", async () => {
  await using at = await folder();
  await at.write("app/a.ts", `import "./a.ts";\nimport "./missing.ts";\nimport "./near.ts";`);
  at.key();
});

Deno.test("a folder without deno.json above it says what is missing", () => {
  assert.throws(() => readInputs("/", [], ""), /No deno.json in "\/" or above; islands need one/);
});
