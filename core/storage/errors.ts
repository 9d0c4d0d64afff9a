/**
 * What can go wrong with the store, as errors a person can act on.
 *
 * @module
 */

/** The disk or the store's size limit is full. What was saved before is whole; the refused write left no trace. */
export class StorageFull extends Error {
  override readonly name = "StorageFull";
  constructor(readonly folder: string, options?: ErrorOptions) {
    super(
      `There is no space left to save in "${folder}". Nothing saved before is lost; ` +
        "free some space on that disk, then try again",
      options,
    );
  }
}

/** The store can be read but not written: it was opened damaged, or the file or its folder does not allow writing. */
export class ReadOnlyStorage extends Error {
  override readonly name = "ReadOnlyStorage";
  constructor(readonly detail: string, options?: ErrorOptions) {
    super(`Nothing can be saved: ${detail}`, options);
  }
}

/** Everything else the database refused. `code` is SQLite's extended result code, e.g. `SQLITE_CONSTRAINT_UNIQUE`. */
export class StorageFailed extends Error {
  override readonly name = "StorageFailed";
  constructor(readonly detail: string, readonly code: string | null = null, options?: ErrorOptions) {
    super(`The store did not do what was asked: ${detail}`, options);
  }
}

/** Asked after `close()`, or while the store was closing. */
export class StorageClosed extends Error {
  override readonly name = "StorageClosed";
  constructor() {
    super("The store is closed; start Malama again to use it");
  }
}

/** Another process holds the data folder. `pid` is `null` when it has not written its name yet. */
export class StorageLocked extends Error {
  override readonly name = "StorageLocked";
  constructor(readonly folder: string, readonly pid: number | null) {
    super(
      `The data folder "${folder}" is in use by another Malama (process ${pid ?? "unknown"}). ` +
        "Stop that one first, or set MALAMA_HOME to another folder",
    );
  }
}

/** What is stored cannot be read as a database. The file is left exactly as it was found. */
export class StorageDamaged extends Error {
  override readonly name = "StorageDamaged";
  constructor(readonly file: string, readonly detail: string, options?: ErrorOptions) {
    super(`The database "${file}" cannot be read: ${detail}. ${damageAdvice(file)}`, options);
  }
}

/** The database was written by a newer Malama than this one. The file is left exactly as it was found. */
export class StorageTooNew extends Error {
  override readonly name = "StorageTooNew";
  constructor(readonly file: string, readonly found: number, readonly known: number) {
    super(
      `The database "${file}" was written by a newer Malama (its version is ${found}, this one knows ${known}). ` +
        "Update Malama, or set MALAMA_HOME to another folder",
    );
  }
}

/** What a person can do about a damaged database file. An old `-wal` beside a restored file would damage that one too. */
export function damageAdvice(file: string): string {
  return `Nothing was deleted. Stop Malama and move "${file}", "${file}-wal" and "${file}-shm" to a safe place; then put a ` +
    "backup of the first in its place, or start Malama without one for an empty store";
}
