/**
 * What the rest of the house knows of storage: one database reached through a worker, and content-addressed blobs.
 *
 * @module
 */

/** A value a statement takes or a row holds. Blobs come back as `ArrayBuffer`. */
export type SqlValue = null | string | number | ArrayBuffer | Uint8Array;

export interface Statement {
  readonly sql: string;
  readonly args?: readonly SqlValue[];
}

export type Row = Readonly<Record<string, SqlValue>>;

/** The database. Reads may overtake each other; writes run one at a time, in the order they were asked for. */
export interface Database {
  /** Rows of one query. */
  read(sql: string, args?: readonly SqlValue[]): Promise<readonly Row[]>;
  /**
   * Runs the statements as one transaction: all or none. Resolves when it is committed, with the rows each returned
   * (`RETURNING`). Throws `ReadOnlyStorage` when the store was opened damaged, `StorageFull`, or `StorageFailed`.
   */
  write(statements: readonly Statement[]): Promise<readonly (readonly Row[])[]>;
}

/** Files by SHA-256 under `<data>/blobs/`, each held by the conversations it was put for. */
export interface Blobs {
  /**
   * Stores the bytes (once, however often they come) and gives their hash, 64 lower-case hex digits. Durable when it
   * resolves, and kept for as long as one of the conversations it was put for is there. One that is gone holds nothing.
   */
  put(bytes: Uint8Array, mediaType: string, conversation: string): Promise<string>;
  /** The same before any conversation holds it: it is kept for 24 hours, and longer once one does. */
  putLoose(bytes: Uint8Array, mediaType: string): Promise<string>;
  /** Lets a conversation hold what is stored; `false` when there is no such blob, or no such conversation. */
  hold(hash: string, conversation: string): Promise<boolean>;
  /** The bytes and their media type, or `null` when there are none (a malformed hash is `null` too). */
  get(hash: string): Promise<{ readonly bytes: Uint8Array<ArrayBuffer>; readonly mediaType: string } | null>;
  /**
   * Removes every blob that no conversation holds and whose time is over, and gives how many there were. A file that cannot be removed is
   * reported and tried again the next time. `signal` ends it early, without an error.
   */
  sweep(options?: { readonly signal?: AbortSignal }): Promise<number>;
}

/** What was found when the store was opened, or since. */
export type StorageHealth =
  | { readonly state: "healthy"; readonly repaired: readonly string[] }
  /** Opened read-only: `detail` is what the check said, `advice` what a person can do. */
  | { readonly state: "damaged"; readonly detail: string; readonly advice: string };

export interface Storage {
  readonly database: Database;
  readonly blobs: Blobs;
  readonly health: StorageHealth;
  /** Writes down the address at which this process can be reached, for `readLock()` of another one. */
  announceAddress(url: string): Promise<void>;
  /** Waits for queued writes, closes the database and gives up the folder. */
  close(): Promise<void>;
}
