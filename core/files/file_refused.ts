/**
 * A file that is not read or written, and why.
 *
 * @module
 */

/** What is in the way. */
export type RefusalKind =
  /** The path itself cannot be one. */
  | "path"
  /** It is outside of what tools may reach. */
  | "reach"
  /** There is nothing of that kind there. */
  | "missing"
  /** It is something else: a folder, a device, no text. */
  | "kind"
  /** It has to be read first. */
  | "unread"
  /** It changed since it was read. */
  | "stale"
  /** The text to replace is not there, or more than once. */
  | "match"
  /** The system does not let us. */
  | "system";

/** A refusal; `message` is a sentence that says what would be right. */
export class FileRefused extends Error {
  override readonly name = "FileRefused";
  constructor(readonly kind: RefusalKind, message: string, options?: ErrorOptions) {
    super(message, options);
  }
}

/** What the system said about a path, as a refusal; anything else is given back as it is. */
export function systemRefusal(error: unknown, shown: string): unknown {
  if (!(error instanceof Error) || error instanceof FileRefused) return error;
  const refuse = (kind: RefusalKind, text: string) => new FileRefused(kind, text, { cause: error });
  const code = (error as { readonly code?: unknown }).code;
  if (error instanceof Deno.errors.NotFound) return refuse("missing", `There is nothing at ${shown}: check the path`);
  if (error instanceof Deno.errors.NotADirectory) {
    return refuse("missing", `There is nothing at ${shown}: a part of that path is a file, not a folder`);
  }
  if (error instanceof Deno.errors.PermissionDenied) {
    return refuse("system", `The system does not allow access to ${shown}: its owner or mode is in the way`);
  }
  if (error instanceof Deno.errors.FilesystemLoop || code === "ELOOP") {
    return refuse("missing", `The links at ${shown} lead in a circle`);
  }
  if (code === "ENAMETOOLONG") return refuse("path", "A name in that path is longer than the system allows");
  if (code === "ENOSPC" || code === "EDQUOT") return refuse("system", "The disk is full: nothing was written");
  if (code === "EROFS") return refuse("system", `${shown} is on a disk that cannot be written`);
  return error;
}
