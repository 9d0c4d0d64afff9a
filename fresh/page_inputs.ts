import { createHash } from "node:crypto";
import { dirname, join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

/** What a bundle is made from: by the same key it is the same. Imports are resolved by the nearest `deno.json`. */
export interface PageInputs {
  readonly configFolder: string;
  readonly key: string;
}

const SPECIFIER = /(?:\bfrom|\bimport)\s*\(?\s*["']([^"'\n]+)["']/g;

/**
 * Reads the entries and every local file they import, directly or not. Reading an import in a comment does no harm: a file
 * too many only means a rebuild too many. Packages are covered by `deno.json` and `deno.lock`.
 */
export function readInputs(root: string, entries: readonly string[], settings: string): PageInputs {
  const configFolder = configFolderOf(root);
  const config = readText(join(configFolder, "deno.json")) ?? "{}";
  const aliases = localAliases(config, configFolder);
  const texts = new Map<string, string>();
  const waiting = [...entries];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (texts.has(path)) continue;
    const text = readText(path);
    if (text === null) continue;
    texts.set(path, text);
    for (const [, specifier = ""] of text.matchAll(SPECIFIER)) {
      const target = resolveLocal(specifier, path, aliases);
      if (target !== null) waiting.push(target);
    }
  }
  const hash = createHash("sha256").update(`${settings}\n${Deno.version.deno}\n${config}\n`);
  hash.update(readText(join(configFolder, "deno.lock")) ?? "");
  for (const path of [...texts.keys()].sort()) {
    hash.update(`\0${relative(root, path).replaceAll("\\", "/")}\0${entries.includes(path)}\0${texts.get(path)}`);
  }
  return { configFolder, key: hash.digest("hex") };
}

function configFolderOf(root: string): string {
  for (let folder = root;; folder = dirname(folder)) {
    if (readText(join(folder, "deno.json")) !== null) return folder;
    if (dirname(folder) !== folder) continue;
    throw new Error(`No deno.json in "${root}" or above; islands need one to resolve their imports`);
  }
}

/** Where the names of the import map that stand for local files lead. A name that ends in a slash stands for a folder. */
function localAliases(config: string, folder: string): [name: string, target: string][] {
  const { imports } = JSON.parse(config) as { imports?: Record<string, string> };
  const local = Object.entries(imports ?? {}).filter(([, target]) => target.startsWith("."));
  return local.map(([name, target]) => [name, join(folder, target)]);
}

function resolveLocal(specifier: string, from: string, aliases: readonly [string, string][]): string | null {
  for (const [name, target] of aliases) {
    if (specifier === name) return target;
    if (name.endsWith("/") && specifier.startsWith(name)) return join(target, specifier.slice(name.length));
  }
  return /^(?:\.{0,2}\/|file:)/.test(specifier) ? fileURLToPath(new URL(specifier, pathToFileURL(from))) : null;
}

function readText(path: string): string | null {
  try {
    return Deno.readTextFileSync(path);
  } catch {
    return null; // The bundler says what is wrong with it, if anything.
  }
}
