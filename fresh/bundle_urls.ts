import type { PageBundle } from "./snapshot.ts";

/** Where the built files are served, below the base path. */
export const BUNDLE_PATH = "/_fresh/js/";

/** The address of a built file: it holds the hash of the whole bundle, so it is cached for good. */
export function bundleUrl(bundle: PageBundle, basePath: string, file: string): string {
  return `${basePath}${BUNDLE_PATH}${bundle.hash}/${file.split("/").map(encodeURIComponent).join("/")}`;
}

/** The files that a built file imports at once, itself included; lazy `import()`s are left out. */
export function staticFilesOf(bundle: PageBundle, file: string, seen = new Set<string>()): Set<string> {
  const code = bundle.files.get(file);
  if (code === undefined || seen.has(file)) return seen;
  seen.add(file);
  for (const [, specifier = ""] of code.matchAll(/(?:\bfrom|\bimport)\s*"(\.[^"]+)"/g)) {
    staticFilesOf(bundle, new URL(specifier, `file:///${file}`).pathname.slice(1), seen);
  }
  return seen;
}

/** The `modulepreload` links of a page with these islands: every file fetched at once instead of one after the other. */
export function preloads(bundle: PageBundle, basePath: string, islandFiles: readonly string[]): string {
  const files = staticFilesOf(bundle, bundle.boot);
  for (const island of islandFiles) staticFilesOf(bundle, bundle.entries[island] ?? "", files);
  return [...files].map((file) => `<link rel="modulepreload" href="${bundleUrl(bundle, basePath, file)}">`).join("");
}
