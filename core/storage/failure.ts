/**
 * From what libSQL throws to a `Failure` that can be posted, and from that to the error a caller sees.
 *
 * @module
 */
import { ReadOnlyStorage, StorageDamaged, StorageFailed, StorageFull, StorageTooNew } from "./errors.ts";
import type { Failure } from "./protocol.ts";

/** Thrown inside the worker where the failure is already known. */
export class KnownFailure extends Error {
  override readonly name = "KnownFailure";
  constructor(readonly failure: Failure) {
    super(failure.kind);
  }
}

/** Sorts an error by SQLite's result code. */
export function toFailure(error: unknown): Failure {
  if (error instanceof KnownFailure) return error.failure;
  const { code, message } = plainError(error);
  switch (baseCode(error)) {
    case "SQLITE_FULL":
      return { kind: "full", message, code };
    case "SQLITE_READONLY":
    case "SQLITE_CANTOPEN":
    case "SQLITE_PERM":
      return { kind: "read_only", message, code };
    case "SQLITE_CORRUPT":
    case "SQLITE_NOTADB":
      return { kind: "damaged", message, code };
    default:
      return { kind: message.includes("No space left on device") ? "full" : "failed", message, code };
  }
}

/** The error a caller sees. `where` is the database file, or the server's address. */
export function failureError(failure: Failure, where: { readonly folder: string; readonly file: string }): Error {
  switch (failure.kind) {
    case "full":
      return new StorageFull(where.folder, { cause: cause(failure) });
    case "read_only":
      return new ReadOnlyStorage(
        `"${where.file}", or a file beside it, does not allow writing. Check who owns them and their permissions`,
        { cause: cause(failure) },
      );
    case "damaged":
      return new StorageDamaged(where.file, failure.message, { cause: cause(failure) });
    case "failed":
      return new StorageFailed(failure.message, failure.code, { cause: cause(failure) });
    case "too_new":
      return new StorageTooNew(where.file, failure.found, failure.known);
    default:
      return failure satisfies never;
  }
}

function cause(failure: { readonly message: string; readonly code: string | null }): Error {
  return new Error(failure.code === null ? failure.message : `${failure.code}: ${failure.message}`);
}

/**
 * SQLite's extended result code, or its base code, or whatever code the error carries. For extended codes it has no name
 * for libSQL says `UNKNOWN_SQLITE_ERROR_…`; the base code is the better answer then.
 */
export function sqliteCode(error: unknown): string | null {
  const extended = codeOf(error, "extendedCode");
  return extended?.startsWith("SQLITE_") ? extended : baseCode(error);
}

function baseCode(error: unknown): string | null {
  return codeOf(error, "code");
}

function codeOf(error: unknown, key: "code" | "extendedCode"): string | null {
  if (typeof error !== "object" || error === null) return null;
  const code = (error as Readonly<Record<string, unknown>>)[key];
  return typeof code === "string" ? code : null;
}

/** The code, and the message without the code libSQL puts in front of it, sometimes twice. */
export function plainError(error: unknown): { readonly message: string; readonly code: string | null } {
  const text = error instanceof Error ? error.message : String(error);
  return { message: text.replace(/^(?:[A-Z]+_[A-Z_]+: )+/, ""), code: sqliteCode(error) };
}
