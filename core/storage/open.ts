/**
 * Opening the store: the folder, its lock, the database, the blobs.
 *
 * @module
 */
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { BlobFiles, fileError, holdsBlobs } from "./blobs.ts";
import { DatabaseClient } from "./client.ts";
import type { Storage, StorageHealth } from "./contract.ts";
import { damageAdvice, StorageDamaged, StorageFailed } from "./errors.ts";
import { FolderLock } from "./lock.ts";
import { type DatabaseLocation, displayName, type OpenReport } from "./protocol.ts";

export interface OpenStorageOptions {
  /** The data folder; made (0700) when it is not there. */
  readonly dataDir: string;
  /** `[storage] url`: a `file:` address, or a libSQL server. Absent means `<dataDir>/malama.db`. */
  readonly url?: string;
  /** `MALAMA_STORAGE_TOKEN`, for a server. */
  readonly token?: string;
  readonly now?: () => Date;
  /** Told of what cannot be thrown at anyone: a damaged blob, a worker that ended by itself. */
  readonly report?: (message: string) => void;
  /** Gives up opening; it has no effect once the store is open. */
  readonly signal?: AbortSignal;
}

/**
 * Opens the store and brings it to the newest schema. Throws `StorageLocked` when another process has the folder,
 * `StorageDamaged` when the file is no database or was cut to nothing, `StorageTooNew`, `ReadOnlyStorage`, `StorageFull` or `StorageFailed`.
 * A database with damage in it opens read-only instead, and `health` says so.
 */
export async function openStorage(options: OpenStorageOptions): Promise<Storage> {
  const { now = () => new Date(), report = console.error, signal } = options;
  const folder = resolve(options.dataDir);
  signal?.throwIfAborted();
  await makeFolder(folder);
  const lock = await takeLock(folder, now);
  let database: DatabaseClient | null = null;
  try {
    const location = locate(folder, options);
    if (location.kind === "file") await makeFile(location.path, folder);
    const client = database = await DatabaseClient.open({
      location,
      folder,
      now: now(),
      onCrash: (error) => report(error.message),
      onReport: (found) =>
        [...found.repaired, ...(found.damage === null ? [] : [found.damage])].forEach((line) => report(line)),
      ...(signal && { signal }),
    });
    const blobs = new BlobFiles({ folder, database: client, now, report });
    await blobs.removeUnfinished();
    return {
      database: client,
      blobs,
      get health() {
        return toHealth(client.report, location);
      },
      announceAddress: (url) => lock.announce(url),
      close: closeOnce(client, lock),
    };
  } catch (error) {
    await database?.close();
    await lock.release();
    throw error;
  }
}

function closeOnce(database: DatabaseClient, lock: FolderLock): () => Promise<void> {
  let closing: Promise<void> | null = null;
  return () => closing ??= database.close().finally(() => lock.release());
}

/** Where the database is: `file:` and no address at all mean a file, anything else a server. */
export function locate(folder: string, options: { readonly url?: string; readonly token?: string }): DatabaseLocation {
  const { url } = options;
  if (url === undefined) return { kind: "file", path: join(folder, "malama.db") };
  if (url.startsWith("file://")) return { kind: "file", path: fileURLToPath(url) };
  if (url.startsWith("file:")) return { kind: "file", path: resolve(folder, url.slice("file:".length)) };
  return { kind: "server", url, token: options.token ?? null };
}

async function makeFolder(folder: string): Promise<void> {
  try {
    await Deno.mkdir(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    if (error instanceof Deno.errors.AlreadyExists || error instanceof Deno.errors.NotADirectory) {
      const message = `"${folder}" is not a folder; move that file away or choose another MALAMA_HOME`;
      throw new StorageFailed(message, null, { cause: error });
    }
    throw fileError(error, folder);
  }
}

async function takeLock(folder: string, now: () => Date): Promise<FolderLock> {
  try {
    return await FolderLock.take(folder, now);
  } catch (error) {
    throw fileError(error, folder);
  }
}

/** The database and the files SQLite keeps beside it are the person's alone; SQLite copies the mode of the first. */
async function makeFile(path: string, folder: string): Promise<void> {
  try {
    await Deno.mkdir(dirname(path), { recursive: true, mode: 0o700 });
    if (await isEmptied(path, folder)) throw new StorageDamaged(path, EMPTIED);
    (await Deno.open(path, { create: true, append: true, mode: 0o600 })).close();
  } catch (error) {
    throw error instanceof StorageDamaged ? error : fileError(error, folder);
  }
}

const EMPTIED =
  "it is empty, though files that belong to its conversations are still there, so something cut it to nothing";

/**
 * Whether a database that held something was cut to nothing. SQLite would take the empty file for a new store. One that is
 * not there at all is: that is how an empty store is asked for.
 */
async function isEmptied(path: string, folder: string): Promise<boolean> {
  const size = await Deno.stat(path).then((info) => info.size, () => null);
  return size === 0 && await holdsBlobs(folder);
}

function toHealth({ damage, repaired }: OpenReport, location: DatabaseLocation): StorageHealth {
  if (damage === null) return { state: "healthy", repaired };
  return { state: "damaged", detail: damage, advice: damageAdvice(displayName(location)) };
}
