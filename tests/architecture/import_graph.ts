/**
 * Who imports whom in the tree, as Deno itself resolves it: static and dynamic imports, types, the import map. To that
 * come the files named by `import.meta.resolve("…")`, which is how workers are started.
 *
 * @module
 */
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Arrow } from "./floors.ts";

/** Folders that hold nothing we wrote. */
const SKIPPED = new Set(["node_modules", "_fresh", "cov"]);

/** Every `.ts` and `.tsx` file under `root`, as paths relative to it with `/` between the parts. */
export async function sourceFiles(root: string, folder = root): Promise<readonly string[]> {
  const files: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const path = join(folder, name);
    if (isDirectory && !SKIPPED.has(name) && !name.startsWith(".")) files.push(...await sourceFiles(root, path));
    else if (/\.tsx?$/.test(name)) files.push(relative(root, path).split(sep).join("/"));
  }
  return files.toSorted();
}

/** All arrows between these files. */
export async function importArrows(root: string, files: readonly string[]): Promise<readonly Arrow[]> {
  return [...await resolvedArrows(root, files), ...await workerArrows(root, files)];
}

interface GraphModule {
  readonly specifier: string;
  readonly dependencies?: readonly {
    readonly code?: { readonly specifier?: string };
    readonly type?: { readonly specifier?: string };
  }[];
}

async function resolvedArrows(root: string, files: readonly string[]): Promise<readonly Arrow[]> {
  const known = new Set(files);
  const arrows: Arrow[] = [];
  for (const module of await moduleGraph(root, files)) {
    const from = inTree(root, module.specifier);
    if (from === null || !known.has(from)) continue;
    for (const { code, type } of module.dependencies ?? []) {
      const to = inTree(root, code?.specifier ?? type?.specifier ?? "");
      if (to !== null && known.has(to)) arrows.push({ from, to, typeOnly: code === undefined });
    }
  }
  return arrows;
}

/** Asks Deno for the graph of one made-up file that imports all of them. */
async function moduleGraph(root: string, files: readonly string[]): Promise<readonly GraphModule[]> {
  const folder = await Deno.makeTempDir({ prefix: "malama-floors-" });
  try {
    const entry = join(folder, "all.ts");
    const lines = files.map((file) => `import ${JSON.stringify(pathToFileURL(join(root, file)).href)};`);
    await Deno.writeTextFile(entry, lines.join("\n"));
    const command = new Deno.Command(Deno.execPath(), {
      args: ["info", "--json", "--config", join(root, "deno.json"), "--frozen=false", entry],
      stderr: "piped",
    });
    const { success, stdout, stderr } = await command.output();
    if (!success) throw new Error(`The import graph could not be read: ${new TextDecoder().decode(stderr)}`);
    return (JSON.parse(new TextDecoder().decode(stdout)) as { modules: GraphModule[] }).modules;
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

function inTree(root: string, specifier: string): string | null {
  if (!specifier.startsWith("file:")) return null;
  const path = relative(root, fileURLToPath(specifier)).split(sep).join("/");
  return path.startsWith("..") ? null : path;
}

async function workerArrows(root: string, files: readonly string[]): Promise<readonly Arrow[]> {
  const known = new Set(files);
  const arrows: Arrow[] = [];
  for (const from of files) {
    const source = await Deno.readTextFile(join(root, from));
    for (const target of resolvedFiles(source)) {
      const to = join(dirname(from), target).split(sep).join("/");
      if (known.has(to)) arrows.push({ from, to, typeOnly: false });
    }
  }
  return arrows;
}

/** The relative files a source names with `import.meta.resolve` or `new URL(…, import.meta.url)`. */
export function resolvedFiles(source: string): readonly string[] {
  const pattern = /(?:import\.meta\.resolve|new URL)\(\s*(["'`])(\.[^"'`]*)\1/g;
  return [...source.matchAll(pattern)].map((match) => match[2] ?? "");
}
