import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Builder, PageBuildError, type PageBundle } from "fresh/dev";

const REPOSITORY = fileURLToPath(new URL("../../", import.meta.url));

interface Project extends AsyncDisposable {
  readonly root: string;
  write(path: string, text: string): Promise<void>;
  build(mode?: "production" | "development"): Promise<PageBundle>;
}

/** A project of its own with one island, below the repository's `deno.json` by way of its own copy. */
async function project(): Promise<Project> {
  const root = await Deno.makeTempDir();
  const write = async (path: string, text: string) => {
    await Deno.mkdir(join(root, path, ".."), { recursive: true });
    await Deno.writeTextFile(join(root, path), text);
  };
  const config = JSON.parse(await Deno.readTextFile(join(REPOSITORY, "deno.json")));
  const imports = Object.fromEntries(
    Object.entries<string>(config.imports).map(([name, target]) => {
      return [name, target.startsWith("./") ? join(REPOSITORY, target) : target];
    }),
  );
  const { compilerOptions, nodeModulesDir, unstable } = config;
  const local = { "@/": "./", "shared": "./shared.ts" };
  const own = { compilerOptions, nodeModulesDir, unstable, imports: { ...imports, ...local } };
  await write("deno.json", JSON.stringify(own));
  await write("shared.ts", `export const text = "one";`);
  await write(
    "islands/Box.tsx",
    `import { text } from "shared";\nexport default function Box() { return <p>{text}</p>; }`,
  );
  return {
    root,
    write,
    build: async (mode) => {
      const bundle = await (await new Builder({ root }).build({ mode })).snapshot.bundle();
      assert.ok(bundle);
      return bundle;
    },
    [Symbol.asyncDispose]: () => Deno.remove(root, { recursive: true }),
  };
}

function textOf(bundle: PageBundle): string {
  return bundle.files.get(bundle.entries["islands/Box.tsx"] ?? "") ?? "";
}

Deno.test("a build is kept on disk and found again", async () => {
  await using at = await project();
  const built = await at.build();
  assert.match(textOf(built), /"one"/);
  const file = join(at.root, "_fresh/page.json");
  // What is found is what was kept, not a new build.
  await Deno.writeTextFile(file, (await Deno.readTextFile(file)).replaceAll("one", "kept"));
  assert.match(textOf(await at.build()), /"kept"/);
});

Deno.test("a changed import is built again", async () => {
  await using at = await project();
  const before = await at.build();
  await at.write("shared.ts", `export const text = "two";`);
  const after = await at.build();
  assert.match(textOf(after), /"two"/);
  assert.notEqual(after.hash, before.hash);
  await at.write("unrelated.ts", "");
  assert.equal((await at.build()).hash, after.hash);
});

Deno.test("a new island is built, and a stored build that is damaged is too", async () => {
  await using at = await project();
  await at.build();
  await at.write("islands/New.tsx", "export function New() { return <b />; }");
  assert.ok((await at.build()).entries["islands/New.tsx"]);
  await Deno.writeTextFile(join(at.root, "_fresh/page.json"), `{"key":`);
  assert.ok((await at.build()).entries["islands/New.tsx"]);
});

Deno.test("in development a change is seen while serving", async () => {
  await using at = await project();
  const { snapshot } = await new Builder({ root: at.root }).build({ mode: "development" });
  const before = await snapshot.bundle();
  assert.equal((await snapshot.bundle())?.hash, before?.hash);
  await at.write("shared.ts", `export const text = "two";`);
  const after = await snapshot.bundle();
  assert.notEqual(after?.hash, before?.hash);
  assert.match(after === null ? "" : textOf(after), /two/);
});

Deno.test("processes that build at once leave one whole build", async () => {
  await using at = await project();
  const programs = await Promise.all(Array.from({ length: 3 }, () =>
    new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", join(REPOSITORY, "fresh/build.ts"), at.root],
      cwd: "/",
    }).output()));
  assert.deepEqual(programs.map((program) => program.code), [0, 0, 0]);
  const names = [...Deno.readDirSync(join(at.root, "_fresh"))].map((entry) => entry.name);
  assert.deepEqual(names, ["page.json"]);
  JSON.parse(await Deno.readTextFile(join(at.root, "_fresh/page.json")));
});

Deno.test("a folder that cannot be written keeps the build in memory", async () => {
  await using at = await project();
  await at.write("_fresh", "a file where the folder should be");
  assert.match(textOf(await at.build()), /"one"/);
  assert.equal(await Deno.readTextFile(join(at.root, "_fresh")), "a file where the folder should be");
});

Deno.test("an island that imports what no browser has is refused by name", async () => {
  await using at = await project();
  await at.write("shared.ts", `import { join } from "node:path";\nexport const text = join("a", "b");`);
  await assert.rejects(at.build(), (error) => {
    assert.ok(error instanceof PageBuildError);
    assert.deepEqual(error.errors, [`The island "islands/Box.tsx" imports "node:path", which no browser has`]);
    return true;
  });
});

Deno.test("an island that does not parse is an error with its place", async () => {
  await using at = await project();
  await at.write("islands/Box.tsx", "export default function Box( {");
  await assert.rejects(at.build(), /The islands could not be bundled:\n.*islands\/Box.tsx/s);
  await at.write("islands/Box.tsx", "export default function Box() { return null; }");
  assert.ok(await at.build());
});

Deno.test("a build is the same from another working directory, and a start finds it there", async () => {
  await using at = await project();
  const built = await at.build();
  const program = `
    const { Builder } = await import(${JSON.stringify(new URL("../../fresh/dev.ts", import.meta.url).href)});
    const { snapshot } = await new Builder({ root: ${JSON.stringify(at.root)} }).build({ snapshot: "memory" });
    console.log((await snapshot.bundle()).hash);`;
  const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["eval", "--config", join(REPOSITORY, "deno.json"), program],
    cwd: "/",
  }).output();
  assert.equal(new TextDecoder().decode(stdout).trim(), built.hash, new TextDecoder().decode(stderr));
});

Deno.test("deno task build says what every file weighs", async () => {
  await using at = await project();
  const { code, stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", join(REPOSITORY, "fresh/build.ts"), at.root],
    cwd: "/",
  }).output();
  const text = new TextDecoder().decode(stdout);
  assert.equal(code, 0);
  assert.match(text, /Box\.js +\d+ +\d+/);
  assert.match(text, /first load with islands\/Box\.tsx +\d+/);
  assert.match(text, /first load with all islands +\d+/);
});
