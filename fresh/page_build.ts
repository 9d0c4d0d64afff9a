import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { dirname, join, parse, relative } from "node:path";
import { fileURLToPath } from "node:url";
import type { BundleOutcome } from "./bundle.ts";
import { staticFilesOf } from "./bundle_urls.ts";
import type { PageBundle } from "./snapshot.ts";

/** The browser files could not be built; `errors` says why, each with its place. */
export class PageBuildError extends Error {
  override readonly name = "PageBuildError";
  readonly errors: readonly string[];

  constructor(errors: readonly string[]) {
    super(`The islands could not be bundled:\n${errors.map((error) => `  ${error}`).join("\n")}`);
    this.errors = errors;
  }
}

/** What to build. */
export interface PageBuild {
  readonly root: string;
  readonly configFolder: string;
  /** Paths of the island files. */
  readonly islands: readonly string[];
  readonly isDevelopment: boolean;
}

/** The module that brings a page to life: an entry of every bundle. */
export const BOOT_MODULE: string = fileURLToPath(new URL("./boot.ts", import.meta.url));

/** Builds the browser files of some islands. Throws {@link PageBuildError}, naming the island. */
export async function buildPage({ root, configFolder, islands, isDevelopment }: PageBuild): Promise<PageBundle> {
  const entrypoints = [BOOT_MODULE, ...islands];
  const outcome = await runBundler({ entrypoints, minify: !isDevelopment }, configFolder);
  if (!outcome.ok) throw new PageBuildError(outcome.errors);
  const common = commonFolder(entrypoints);
  const entries = Object.fromEntries(islands.map((file) => [islandName(root, file), outputName(common, file)]));
  const files = new Map(Object.entries(outcome.files).sort(([a], [b]) => a < b ? -1 : 1));
  const built: PageBundle = { hash: hashOf(files), files, entries, boot: outputName(common, BOOT_MODULE) };
  checkPlatform(built);
  return built;
}

/** What an island file is called: its path below the root. */
export function islandName(root: string, file: string): string {
  return relative(root, file).replaceAll("\\", "/");
}

async function runBundler(request: { entrypoints: string[]; minify: boolean }, cwd: string): Promise<BundleOutcome> {
  const program = fileURLToPath(new URL("./bundle.ts", import.meta.url));
  // A lock file that appeared with the build would make the build look stale at once.
  const lock = existsSync(join(cwd, "deno.lock")) ? [] : ["--no-lock"];
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--quiet",
      "--no-prompt",
      "--allow-read",
      "--unstable-bundle",
      ...lock,
      program,
      JSON.stringify(request),
    ],
    cwd,
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).output();
  const decoder = new TextDecoder();
  if (code !== 0) return { ok: false, errors: [decoder.decode(stderr).trim() || `The bundler ended with ${code}`] };
  return JSON.parse(decoder.decode(stdout));
}

/** `Deno.bundle` leaves imports of `node:` modules in a browser bundle, where they can only fail. */
function checkPlatform(bundle: PageBundle): void {
  const errors: string[] = [];
  for (const [island, entry] of Object.entries(bundle.entries)) {
    for (const file of reachable(bundle, entry)) {
      const found = /(?:\bfrom|\bimport|\brequire)\s*\(?\s*"(node:[\w/]+)"/.exec(bundle.files.get(file) ?? "");
      if (found !== null) errors.push(`The island "${island}" imports "${found[1]}", which no browser has`);
    }
  }
  if (errors.length > 0) throw new PageBuildError([...new Set(errors)]);
}

/** The files an entry needs, lazy ones included. */
function reachable(bundle: PageBundle, entry: string): Set<string> {
  const found = staticFilesOf(bundle, entry);
  for (const file of found) {
    for (const [, specifier = ""] of (bundle.files.get(file) ?? "").matchAll(/\bimport\(\s*"(\.[^"]+)"\s*\)/g)) {
      staticFilesOf(bundle, new URL(specifier, `file:///${file}`).pathname.slice(1), found);
    }
  }
  return found;
}

function commonFolder(paths: readonly string[]): string {
  let folder = dirname(paths[0] ?? "");
  while (!paths.every((path) => path.startsWith(folder.endsWith("/") ? folder : `${folder}/`))) {
    const above = dirname(folder);
    if (above === folder) break;
    folder = above;
  }
  return folder;
}

function outputName(common: string, file: string): string {
  const { dir, name } = parse(relative(common, file).replaceAll("\\", "/"));
  return dir === "" ? `${name}.js` : `${dir}/${name}.js`;
}

function hashOf(files: ReadonlyMap<string, string>): string {
  const hash = createHash("sha256");
  for (const [name, text] of files) hash.update(`\0${name}\0${text}`);
  return hash.digest("hex").slice(0, 16);
}
