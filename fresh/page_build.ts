import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { type BundleOutcome, type BundleRequest, slashed } from "./bundle.ts";
import { filesOf } from "./bundle_urls.ts";
import type { PageBundle } from "./snapshot.ts";

/** The browser files could not be built; `errors` says why, each with its place. */
export class PageBuildError extends Error {
  override readonly name = "PageBuildError";

  constructor(readonly errors: readonly string[]) {
    super(`The islands could not be bundled:\n${errors.map((error) => `  ${error}`).join("\n")}`);
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
  const entries = Object.fromEntries(islands.map((file) => [slashed(relative(root, file)), outputName(common, file)]));
  const files = Object.entries(outcome.files).sort(([a], [b]) => a < b ? -1 : 1);
  const hash = createHash("sha256").update(JSON.stringify(files)).digest("hex").slice(0, 16);
  const built: PageBundle = { hash, files: new Map(files), entries, boot: outputName(common, BOOT_MODULE) };
  checkPlatform(built);
  return built;
}

const BUNDLER_FLAGS = ["run", "--quiet", "--no-prompt", "--allow-read", "--unstable-bundle"];

async function runBundler(request: BundleRequest, cwd: string): Promise<BundleOutcome> {
  const program = fileURLToPath(new URL("./bundle.ts", import.meta.url));
  // A lock file that appeared with the build would make the build look stale at once.
  const lock = existsSync(join(cwd, "deno.lock")) ? [] : ["--no-lock"];
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [...BUNDLER_FLAGS, ...lock, program, JSON.stringify(request)],
    cwd,
    stdin: "null",
  }).output();
  const decoder = new TextDecoder();
  if (code !== 0) return { ok: false, errors: [decoder.decode(stderr).trim() || `The bundler ended with ${code}`] };
  return JSON.parse(decoder.decode(stdout));
}

/** `Deno.bundle` leaves imports of `node:` modules in a browser bundle, where they can only fail. */
function checkPlatform(bundle: PageBundle): void {
  const errors = Object.entries(bundle.entries).flatMap(([island, entry]) => {
    const texts = [...filesOf(bundle, entry, "with lazy ones")].map((file) => bundle.files.get(file) ?? "");
    const found = texts.flatMap((text) => [...text.matchAll(/\b(?:from|import|require)\s*\(?\s*"(node:[\w/]+)"/g)]);
    return found.map(([, name]) => `The island "${island}" imports "${name}", which no browser has`);
  });
  if (errors.length > 0) throw new PageBuildError([...new Set(errors)]);
}

function commonFolder(paths: readonly string[]): string {
  let folder = dirname(paths[0] ?? "");
  while (dirname(folder) !== folder && !paths.every((path) => path.startsWith(folder + sep))) folder = dirname(folder);
  return folder;
}

function outputName(common: string, file: string): string {
  return slashed(relative(common, file)).replace(/\.\w+$/, ".js");
}
