/**
 * `malama export`: a conversation as a file, or on stdout.
 *
 * Invariants (tests/cli/export_command_test.ts)
 * 1. A file that is there is only ever replaced by a whole export, and only with `--force`.
 * 2. An export that fails leaves no file behind.
 *
 * @module
 */
import { dirname, resolve } from "node:path";
import { MALAMA_COMMAND } from "../core/config/mod.ts";
import { findConversation } from "./conversation_choice.ts";
import type { Flags } from "./command_line.ts";
import { openLink } from "./link.ts";
import { Mistake } from "./mistake.ts";
import { loadStartConfig } from "./startup.ts";
import type { Surroundings } from "./surroundings.ts";

type Pieces = AsyncIterable<Uint8Array>;

/** Exports one conversation. Gives the exit status. */
export async function runExport(flags: Flags, surroundings: Surroundings): Promise<number> {
  const { conversation, full = false, force = false } = flags;
  if (conversation === undefined) {
    throw new Mistake(`Say which conversation: ${MALAMA_COMMAND} export ID, or ${MALAMA_COMMAND} export latest`);
  }
  const path = flags.output === undefined || flags.output === "-" ? null : resolve(surroundings.cwd, flags.output);
  if (force && path === null) throw new Mistake('"--force" goes with a file: write -o FILE');
  if (path !== null && !force && await isThere(path)) throw alreadyThere(path);
  const format = flags.format ?? (path?.toLowerCase().endsWith(".jsonl") ? "jsonl" : "md");

  const config = await loadStartConfig(flags, surroundings);
  const link = await openLink(config, flags, surroundings, { talks: false });
  try {
    const id = await findConversation(link.wire, conversation);
    const pieces = link.wire.file(`/api/conversations/${id}/export?format=${format}&full=${full}`);
    if (path === null) await print(pieces, surroundings);
    else surroundings.stderr(`Wrote ${path}, ${(await save(pieces, path, force)).toLocaleString("en")} bytes\n`);
    return 0;
  } finally {
    await link.close();
  }
}

async function print(pieces: Pieces, { stdout }: Surroundings): Promise<void> {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  for await (const piece of pieces) stdout(decoder.decode(piece, { stream: true }));
  stdout(decoder.decode());
}

/** Writes the file, beside the old one where it replaces one. Gives its size in bytes; throws `Mistake`. */
export async function save(pieces: Pieces, path: string, force: boolean): Promise<number> {
  const draft = force ? `${path}.${crypto.randomUUID().slice(0, 8)}.part` : path;
  let file: Deno.FsFile | null = null;
  let bytes = 0;
  try {
    for await (const piece of pieces) {
      file ??= await writing(path, Deno.open(draft, { createNew: true, write: true, mode: 0o600 }));
      for (let at = 0; at < piece.length;) at += await writing(path, file.write(piece.subarray(at)));
      bytes += piece.length;
    }
    file?.close();
    if (force) await writing(path, Deno.rename(draft, path));
    return bytes;
  } catch (error) {
    if (file) {
      closeQuietly(file);
      await Deno.remove(draft).catch(() => {});
    }
    throw error;
  }
}

/** What the disk refuses, as a line for the person. */
async function writing<T>(path: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Deno.errors.AlreadyExists) throw alreadyThere(path);
    if (error instanceof Deno.errors.NotFound) {
      throw new Mistake(`There is no folder "${dirname(path)}": make it first`);
    }
    const why = error instanceof Error ? error.message : String(error);
    throw new Mistake(`"${path}" cannot be written: ${why}`, 2, { cause: error });
  }
}

function alreadyThere(path: string): Mistake {
  return new Mistake(`"${path}" is there already: choose another name, or overwrite it with --force`);
}

async function isThere(path: string): Promise<boolean> {
  return await Deno.lstat(path).then(() => true, () => false);
}

/** It is closed already where only the renaming failed. */
function closeQuietly(file: Deno.FsFile): void {
  try {
    file.close();
  } catch {
    // Closed before.
  }
}
