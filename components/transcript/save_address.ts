/**
 * Where stored files are saved from.
 *
 * @module
 */
import type { FileRef } from "../../core/log/entry.ts";

/** Where a stored file is saved from, under its own name. */
export function saveAddress(basePath: string, { ref, name }: Pick<FileRef, "ref" | "name">): string {
  return `${basePath}${ref}?download=${encodeURIComponent(name)}`;
}
