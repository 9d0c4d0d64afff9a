/**
 * What islands and pages import on both sides.
 *
 * @module
 */
import { assetSeam } from "./asset.ts";

export { Head } from "./head.ts";
export { HttpError } from "./http_error.ts";

/** Whether this runs in a browser. */
export const IS_BROWSER: boolean = typeof document !== "undefined" && !("Deno" in globalThis);

/**
 * The address of a file of the static folder: below the base path, with its content hash, so that it is cached for good
 * and never stale. A path that does not start with one slash, and a file that does not exist, get no hash.
 */
export function asset(path: string): string {
  return path.startsWith("/") && !path.startsWith("//") ? assetSeam.resolve(path) : path;
}
