/**
 * The file's bytes: read with their hash, and replaced in one step.
 *
 * Invariants
 * 1. A reader sees the old file or the new one, never half of one (tests/core/config/write_test.ts).
 * 2. The file keeps its mode, and a symbolic link stays one (same).
 *
 * @module
 */
import { basename, dirname, join } from "node:path";
import { ConfigError, ConfigMissing } from "./config_error.ts";

/** A file as it was read. */
export interface ConfigFile {
  readonly path: string;
  /** Without a byte order mark. */
  readonly text: string;
  readonly byteOrderMark: boolean;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** SHA-256 of the bytes, 64 lower-case hex digits. */
  readonly version: string;
}

/** Reads the file. Throws `ConfigMissing`, or `ConfigError` when it cannot be read or is no UTF-8 text. */
export async function readConfigFile(path: string, named: boolean): Promise<ConfigFile> {
  let bytes: Uint8Array<ArrayBuffer>;
  try {
    bytes = await Deno.readFile(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) throw new ConfigMissing(path, named);
    throw new ConfigError(path, [{ message: `The file cannot be read: ${reason(error)}` }], { cause: error });
  }
  return await configFile(path, bytes);
}

/** The same for bytes that are at hand. */
export async function configFile(path: string, bytes: Uint8Array<ArrayBuffer>): Promise<ConfigFile> {
  const version = hex(await crypto.subtle.digest("SHA-256", bytes));
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw new ConfigError(path, [{ message: "The file is not UTF-8 text: save it as UTF-8" }], { cause: error });
  }
  const byteOrderMark = text.startsWith("\uFEFF");
  return { path, text: byteOrderMark ? text.slice(1) : text, byteOrderMark, bytes, version };
}

function hex(hash: ArrayBuffer): string {
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** What the system said, without its error class. */
export function reason(error: unknown): string {
  if (error instanceof Deno.errors.PermissionDenied || error instanceof Deno.errors.NotCapable) {
    return "permission denied; look at its owner and mode";
  }
  if (error instanceof Deno.errors.IsADirectory) return "it is a folder";
  return error instanceof Error ? error.message : String(error);
}

/**
 * Replaces the file by `bytes` if it still holds `expected`, and says whether it did. The new bytes are on disk before the
 * name points at them. Throws `ConfigError` when the folder does not let us.
 */
export async function replaceFile(
  path: string,
  bytes: Uint8Array<ArrayBuffer>,
  expected: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  try {
    const real = await Deno.realPath(path);
    const draft = join(dirname(real), `.${basename(real)}.${crypto.randomUUID()}.new`);
    try {
      await writeDraft(draft, bytes, (await Deno.stat(real)).mode);
      // No await between the comparison and the rename: nothing in this process can come between them.
      if (!sameBytes(Deno.readFileSync(real), expected)) return false;
      Deno.renameSync(draft, real);
      return true;
    } finally {
      await Deno.remove(draft).catch(() => {});
    }
  } catch (error) {
    throw new ConfigError(path, [{ message: `The file cannot be written: ${reason(error)}` }], { cause: error });
  }
}

async function writeDraft(draft: string, bytes: Uint8Array<ArrayBuffer>, mode: number | null): Promise<void> {
  using file = await Deno.open(draft, { write: true, createNew: true, mode: 0o600 });
  for (let written = 0; written < bytes.length;) written += await file.write(bytes.subarray(written));
  if (mode !== null && Deno.build.os !== "windows") await Deno.chmod(draft, mode & 0o7777);
  await file.sync();
}

function sameBytes(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, index) => byte === other[index]);
}
