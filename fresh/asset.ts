/**
 * The one seam between `asset()`, which islands call on both sides, and the side it runs on: the server and the boot
 * module each put their own resolver here.
 */
export const assetSeam: { resolve: (path: string) => string } = { resolve: (path) => path };

/** Splits a path from its query and fragment. */
export function splitPath(path: string): { pathname: string; rest: string } {
  const end = path.search(/[?#]/);
  return end < 0 ? { pathname: path, rest: "" } : { pathname: path.slice(0, end), rest: path.slice(end) };
}

/** The address of a static file, with the base path and the content hash that makes it cacheable for good. */
export function assetAddress(path: string, basePath: string, hash: string | null): string {
  const { pathname, rest } = splitPath(path);
  if (hash === null) return basePath + path;
  const [query = "", fragment = ""] = rest.split("#", 2);
  const search = `${query === "" ? "?" : `${query}&`}__frsh_c=${hash}`;
  return basePath + pathname + search + (fragment === "" ? "" : `#${fragment}`);
}
