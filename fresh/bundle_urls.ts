import type { PageBundle } from "./snapshot.ts";

/** Where the built files are served, below the base path. */
export const BUNDLE_PATH = "/_fresh/js/";

/** The address of a built file: it holds the hash of the whole bundle, so it is cached for good. */
export function bundleUrl(bundle: PageBundle, basePath: string, file: string): string {
  return `${basePath}${BUNDLE_PATH}${bundle.hash}/${file.split("/").map(encodeURIComponent).join("/")}`;
}

const STATIC_IMPORT = /\b(?:from|import)\s*"(\.[^"]+)"/g;
const ANY_IMPORT = /\b(?:from|import)\s*\(?\s*"(\.[^"]+)"/g;

/** The files that a built file imports, itself included; those it loads lazily only on request. */
export function filesOf(
  bundle: PageBundle,
  file: string,
  which: "static" | "with lazy ones" = "static",
  found: Set<string> = new Set(),
): Set<string> {
  const code = bundle.files.get(file);
  if (code === undefined || found.has(file)) return found;
  found.add(file);
  for (const [, specifier = ""] of code.matchAll(which === "static" ? STATIC_IMPORT : ANY_IMPORT)) {
    filesOf(bundle, new URL(specifier, `file:///${file}`).pathname.slice(1), which, found);
  }
  return found;
}

/** The files that a page with these islands loads at once. */
export function firstFiles(bundle: PageBundle, islands: readonly string[]): Set<string> {
  const entries = [bundle.boot, ...islands.map((island) => bundle.entries[island] ?? "")];
  return new Set(entries.flatMap((entry) => [...filesOf(bundle, entry)]));
}
