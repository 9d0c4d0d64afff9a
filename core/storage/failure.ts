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
  if (code?.startsWith("SQLITE_FULL") || message.includes("No space left on device")) {
    return { kind: "full", message, code };
  }
  if (code?.startsWith("SQLITE_READONLY")) return { kind: "read_only", message, code };
  if (code?.startsWith("SQLITE_CORRUPT") || code === "SQLITE_NOTADB") return { kind: "damaged", message, code };
  return { kind: "failed", message, code };
}

/** The error a caller sees. `where` is the database file, or the server's address. */
export function failureError(failure: Failure, where: { readonly folder: string; readonly file: string }): Error {
  switch (failure.kind) {
    case "full":
      return new StorageFull(where.folder, { cause: cause(failure) });
    case "read_only":
      return new ReadOnlyStorage(`"${where.file}" does not allow writing. Check who owns it and its permissions`, {
        cause: cause(failure),
      });
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

/** SQLite's extended result code, or its base code, or whatever code the error carries. */
export function sqliteCode(error: unknown): string | null {
  if (typeof error !== "object" || error === null) return null;
  const { extendedCode, code } = error as { extendedCode?: unknown; code?: unknown };
  if (typeof extendedCode === "string") return extendedCode;
  return typeof code === "string" ? code : null;
}

/** The code, and the message without the code libSQL puts in front of it, sometimes twice. */
export function plainError(error: unknown): { readonly message: string; readonly code: string | null } {
  const text = error instanceof Error ? error.message : String(error);
  return { message: text.replace(/^(?:[A-Z]+_[A-Z_]+: )+/, ""), code: sqliteCode(error) };
}
