/**
 * Content-addressed files: `<data>/blobs/ab/cdef…`, named by the SHA-256 of what they hold. Their media types are rows
 * of the `blobs` table; the first media type given for some bytes stays. Rows of `blob_holders` say for which conversations
 * they are kept; those go with their conversation, and `sweep` then removes what nobody holds. What was stored before the
 * message that will name it is loose: a row `loose:<hash>` of `meta` says until when it is kept all the same.
 *
 * Invariants
 * 1. A name is only ever seen with its whole content behind it: written aside, synced, renamed (tests/core/storage/blobs_test.ts).
 * 2. What `get` gives has the hash it was asked for; anything else is `null` and reported (tests/core/storage/blobs_test.ts).
 * 3. Only 64 lower-case hex digits are ever made into a path (tests/core/storage/blobs_test.ts).
 * 4. A blob is held before its file is there, and its row goes after its file: a process that ends in between leaves nothing
 *    that a later sweep does not find (tests/core/storage/blob_sweep_test.ts).
 * 5. Putting and sweeping the same bytes at the same time never loses them (tests/core/storage/blob_sweep_test.ts).
 * 6. What is loose is there for `LOOSE_MS`, and for as long as it is held once somebody holds it
 *    (tests/core/storage/loose_blobs_test.ts).
 *
 * @module
 */
import { dirname, join } from "node:path";
import type { Blobs, Database, Statement } from "./contract.ts";
import { ReadOnlyStorage, StorageFailed, StorageFull } from "./errors.ts";
import { KeyedLock } from "./keyed_lock.ts";

/** What a blob is called when its media type cannot be read any more. */
const UNKNOWN_TYPE = "application/octet-stream";

/** How many blobs are removed at a time: enough to share commits, few enough to stop soon. */
const SWEPT_TOGETHER = 50;

/** How long what nobody holds yet is kept, in milliseconds. */
export const LOOSE_MS = 24 * 60 * 60 * 1000;

/** Takes the present time as its one argument. */
const IS_OVER = `not exists (select 1 from blob_holders where blob_holders.hash = blobs.hash)
  and not exists (select 1 from meta where meta.key = 'loose:' || blobs.hash and meta.value > ?)`;

export interface BlobFilesOptions {
  /** The data folder. */
  readonly folder: string;
  readonly database: Database;
  readonly now: () => Date;
  /** Told of a blob whose content is not what its name says, and of one that cannot be removed. */
  readonly report: (message: string) => void;
}

export class BlobFiles implements Blobs {
  readonly #options: BlobFilesOptions;
  readonly #lock = new KeyedLock();

  constructor(options: BlobFilesOptions) {
    this.#options = options;
  }

  /** Removes what an earlier process was writing when it ended. The folder is ours alone while we hold its lock. */
  async removeUnfinished(): Promise<void> {
    try {
      await Deno.remove(this.#unfinished, { recursive: true }).catch(ignoreMissing);
    } catch (error) {
      throw fileError(error, this.#options.folder);
    }
  }

  async put(bytes: Uint8Array, mediaType: string, conversation: string): Promise<string> {
    return await this.#put(bytes, mediaType, (hash) => ({
      sql: `insert into blob_holders (hash, conversation) select ?, id from conversations where id = ?
            on conflict do nothing`,
      args: [hash, conversation],
    }));
  }

  /** @inheritdoc */
  async putLoose(bytes: Uint8Array, mediaType: string): Promise<string> {
    const until = new Date(this.#options.now().getTime() + LOOSE_MS).toISOString();
    return await this.#put(bytes, mediaType, (hash) => ({
      sql: "insert into meta (key, value) values (?, ?) on conflict (key) do update set value = excluded.value",
      args: [looseKey(hash), until],
    }));
  }

  /** @inheritdoc */
  async hold(hash: string, conversation: string): Promise<boolean> {
    return await this.#lock.hold(hash, async () => {
      const held = await this.#options.database.write([{
        sql: `insert into blob_holders (hash, conversation)
              select blobs.hash, conversations.id from blobs, conversations where blobs.hash = ? and conversations.id = ?
              on conflict do update set hash = excluded.hash returning hash`,
        args: [hash, conversation],
      }, {
        sql:
          "delete from meta where key = ? and exists (select 1 from blob_holders where hash = ? and conversation = ?)",
        args: [looseKey(hash), hash, conversation],
      }]);
      return held[0]?.length === 1;
    });
  }

  /** @inheritdoc */
  async sweep({ signal }: { readonly signal?: AbortSignal } = {}): Promise<number> {
    const now = this.#options.now().toISOString();
    const rows = await this.#options.database.read(`select hash from blobs where ${IS_OVER}`, [now]);
    const hashes = rows.map((row) => String(row.hash));
    let removed = 0;
    for (let at = 0; at < hashes.length && !signal?.aborted; at += SWEPT_TOGETHER) {
      const together = hashes.slice(at, at + SWEPT_TOGETHER);
      const work = together.map((hash) => this.#lock.hold(hash, () => this.#removeUnheld(hash, now)));
      await Promise.allSettled(work);
      removed += (await Promise.all(work)).filter(Boolean).length;
    }
    return removed;
  }

  async get(hash: string): Promise<{ readonly bytes: Uint8Array<ArrayBuffer>; readonly mediaType: string } | null> {
    if (!/^[0-9a-f]{64}$/.test(hash)) return null;
    const bytes = await readFile(this.#path(hash));
    if (bytes === null) return null;
    if (await sha256(bytes) !== hash) {
      this.#options.report(
        `The stored file "${this.#path(hash)}" is damaged and is not used; restore it from a backup`,
      );
      return null;
    }
    return { bytes, mediaType: await this.#mediaType(hash) };
  }

  /** `keep` says who or what keeps it; its row is there before the file is. */
  async #put(bytes: Uint8Array, mediaType: string, keep: (hash: string) => Statement): Promise<string> {
    const content = new Uint8Array(bytes);
    const hash = await sha256(content);
    await this.#lock.hold(hash, async () => {
      await this.#options.database.write([{
        sql: "insert into blobs (hash, media_type, bytes, created_at) values (?, ?, ?, ?) on conflict do nothing",
        args: [hash, mediaType, content.length, this.#options.now().toISOString()],
      }, keep(hash)]);
      try {
        const stored = await readFile(this.#path(hash));
        if (stored === null || await sha256(stored) !== hash) await this.#store(hash, content);
      } catch (error) {
        throw fileError(error, this.#options.folder);
      }
    });
    return hash;
  }

  async #store(hash: string, content: Uint8Array): Promise<void> {
    await Deno.mkdir(this.#unfinished, { recursive: true, mode: 0o700 });
    await Deno.mkdir(dirname(this.#path(hash)), { recursive: true, mode: 0o700 });
    const draft = join(this.#unfinished, crypto.randomUUID());
    try {
      await writeSynced(draft, content);
      await Deno.rename(draft, this.#path(hash));
    } catch (error) {
      await Deno.remove(draft).catch(ignoreMissing);
      throw error;
    }
    await syncFolder(dirname(this.#path(hash)));
  }

  /** Looks again, now that nobody can be putting it: it may have been put since the sweep began. */
  async #removeUnheld(hash: string, now: string): Promise<boolean> {
    const { database, report } = this.#options;
    const unheld = await database.read(`select 1 from blobs where hash = ? and ${IS_OVER}`, [hash, now]);
    if (unheld.length === 0) return false;
    try {
      await Deno.remove(this.#path(hash)).catch(ignoreMissing);
    } catch (error) {
      report(`The stored file "${this.#path(hash)}" belongs to nothing and could not be removed: ${String(error)}`);
      return false;
    }
    await database.write([
      { sql: `delete from blobs where hash = ? and ${IS_OVER}`, args: [hash, now] },
      { sql: "delete from meta where key = ?", args: [looseKey(hash)] },
    ]);
    return true;
  }

  /** A damaged table must not hide a picture that is there. */
  async #mediaType(hash: string): Promise<string> {
    try {
      const rows = await this.#options.database.read("select media_type from blobs where hash = ?", [hash]);
      return typeof rows[0]?.media_type === "string" ? rows[0].media_type : UNKNOWN_TYPE;
    } catch (error) {
      this.#options.report(`The media type of blob ${hash} could not be read: ${String(error)}`);
      return UNKNOWN_TYPE;
    }
  }

  #path(hash: string): string {
    return join(this.#options.folder, "blobs", hash.slice(0, 2), hash.slice(2));
  }

  get #unfinished(): string {
    return join(this.#options.folder, "blobs", "unfinished");
  }
}

function looseKey(hash: string): string {
  return `loose:${hash}`;
}

/** SHA-256 as 64 lower-case hex digits. */
export async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex();
}

async function readFile(path: string): Promise<Uint8Array<ArrayBuffer> | null> {
  try {
    return await Deno.readFile(path);
  } catch (error) {
    ignoreMissing(error);
    return null;
  }
}

async function writeSynced(path: string, content: Uint8Array): Promise<void> {
  using file = await Deno.open(path, { createNew: true, write: true, mode: 0o600 });
  for (let written = 0; written < content.length;) written += await file.write(content.subarray(written));
  await file.sync();
}

/** Makes a rename durable. Windows cannot open a folder and needs no such thing. */
async function syncFolder(path: string): Promise<void> {
  if (Deno.build.os === "windows") return;
  using folder = await Deno.open(path, { read: true });
  await folder.sync();
}

function ignoreMissing(error: unknown): void {
  if (!(error instanceof Deno.errors.NotFound)) throw error;
}

/** Whether a data folder has any stored file, whatever the database says. */
export async function holdsBlobs(folder: string): Promise<boolean> {
  try {
    for await (const { name, isDirectory } of Deno.readDir(join(folder, "blobs"))) {
      if (!isDirectory || !/^[0-9a-f]{2}$/.test(name)) continue;
      for await (const _ of Deno.readDir(join(folder, "blobs", name))) return true;
    }
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
  return false;
}

/** The error a person sees when the disk refuses a file. */
export function fileError(error: unknown, folder: string): unknown {
  const code = error instanceof Error ? (error as { code?: unknown }).code : undefined;
  if (code === "ENOSPC" || code === "EDQUOT") return new StorageFull(folder, { cause: error });
  if (code === "EROFS" || error instanceof Deno.errors.PermissionDenied) {
    return new ReadOnlyStorage(`"${folder}" does not allow writing. Check who owns it and its permissions`, {
      cause: error,
    });
  }
  if (error instanceof Deno.errors.IsADirectory || error instanceof Deno.errors.NotADirectory) {
    const message = `in "${folder}" a folder stands where a file belongs, or a file where a folder does ` +
      `(${error.message}). Move it away`;
    return new StorageFailed(message, null, { cause: error });
  }
  return error;
}
