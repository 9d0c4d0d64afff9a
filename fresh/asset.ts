/** The seam between `asset()`, which islands call on both sides, and the side it runs on: each puts its own resolver here. */
export const assetSeam: { resolve: (path: string) => string } = { resolve: (path) => path };

/** The address of a static file, with the base path and the content hash that makes it cacheable for good. */
export function assetAddress(path: string, basePath: string, hashOf: (pathname: string) => string | null): string {
  const [, pathname = "", query = "", fragment = ""] = /^([^?#]*)(\?[^#]*)?(#.*)?$/.exec(path) ?? [];
  const hash = hashOf(pathname);
  if (hash === null) return basePath + path;
  return `${basePath}${pathname}${query === "" ? "?" : `${query}&`}__frsh_c=${hash}${fragment}`;
}
