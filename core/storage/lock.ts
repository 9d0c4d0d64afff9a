/**
 * One process per data folder, and where a running one can be reached.
 *
 * The lock is the operating system's advisory lock on `malama.lock`; it goes when its holder does, however that ends, so
 * a killed process leaves nothing to clean up. What is written in the file is only a note for others.
 *
 * Invariants
 * 1. At most one `FolderLock` of a folder is held at a time, over all processes (tests/core/storage/lock_test.ts).
 * 2. `readLock` never believes a note whose holder is gone (tests/core/storage/lock_test.ts).
 *
 * @module
 */
import { join } from "node:path";
import { StorageLocked } from "./errors.ts";

/** Who holds a data folder. `url` is there once its server listens. */
export interface LockNote {
  readonly pid: number;
  readonly started_at: string;
  readonly url?: string;
}

/** How often, and how many milliseconds apart, a held lock is tried again: `readLock` holds it for an instant. */
const TRIES = 5;
const BETWEEN_TRIES = 20;

export class FolderLock {
  readonly #file: Deno.FsFile;
  #note: LockNote;

  private constructor(file: Deno.FsFile, note: LockNote) {
    this.#file = file;
    this.#note = note;
  }

  /** Takes the folder, or throws `StorageLocked` with the pid of the process that has it. */
  static async take(folder: string, now: () => Date): Promise<FolderLock> {
    const file = await Deno.open(lockPath(folder), { create: true, read: true, write: true, mode: 0o600 });
    try {
      for (let attempt = 1; !await file.tryLock(true); attempt++) {
        if (attempt === TRIES) throw new StorageLocked(folder, (await readNote(folder))?.pid ?? null);
        await new Promise((resolve) => setTimeout(resolve, BETWEEN_TRIES));
      }
      const lock = new FolderLock(file, { pid: Deno.pid, started_at: now().toISOString() });
      // On a full disk the folder is held without a note: what is stored can still be read.
      await lock.#write().catch(ignoreFullDisk);
      return lock;
    } catch (error) {
      file.close();
      throw error;
    }
  }

  /** Writes down the address at which this process can be reached. */
  async announce(url: string): Promise<void> {
    this.#note = { ...this.#note, url };
    await this.#write();
  }

  /** Gives the folder up. The file stays: removing it could take away the lock of whoever comes next. */
  async release(): Promise<void> {
    try {
      await this.#file.truncate(0);
    } finally {
      this.#file.close();
    }
  }

  /** Over the old note, not after emptying the file: that needs no new space. */
  async #write(): Promise<void> {
    const bytes = new TextEncoder().encode(JSON.stringify(this.#note));
    await this.#file.seek(0, Deno.SeekMode.Start);
    for (let written = 0; written < bytes.length;) written += await this.#file.write(bytes.subarray(written));
    await this.#file.truncate(bytes.length);
  }
}

/** Who holds the folder now, or `null` when nobody does. */
export async function readLock(folder: string): Promise<LockNote | null> {
  return await isHeld(folder) ? await readNote(folder) : null;
}

async function isHeld(folder: string): Promise<boolean> {
  try {
    using file = await Deno.open(lockPath(folder), { read: true });
    return !await file.tryLock(false);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory) return false;
    throw error;
  }
}

async function readNote(folder: string): Promise<LockNote | null> {
  const text = await Deno.readTextFile(lockPath(folder)).catch(() => "");
  return parseNote(text);
}

/** A note from its text, or `null` when it is not one (it may be half written). */
export function parseNote(text: string): LockNote | null {
  let note: unknown;
  try {
    note = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof note !== "object" || note === null) return null;
  const { pid, started_at, url } = note as Record<string, unknown>;
  if (typeof pid !== "number" || typeof started_at !== "string") return null;
  return typeof url === "string" ? { pid, started_at, url } : { pid, started_at };
}

function ignoreFullDisk(error: unknown): void {
  if ((error as { code?: unknown }).code !== "ENOSPC") throw error;
}

function lockPath(folder: string): string {
  return join(folder, "malama.lock");
}
