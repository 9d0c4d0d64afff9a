/**
 * `malama import`: a conversation out of a JSONL export, over the wire of the server that holds the data folder.
 *
 * Invariant: the file is read as it is sent and never held whole (tests/cli/import_command_test.ts).
 *
 * @module
 */
import { resolve } from "node:path";
import { MALAMA_COMMAND } from "../core/config/mod.ts";
import type { Conversation } from "../core/log/mod.ts";
import type { Flags } from "./command_line.ts";
import { oneLine } from "./control_filter.ts";
import { openLink } from "./link.ts";
import { Mistake } from "./mistake.ts";
import { loadStartConfig } from "./startup.ts";
import type { Surroundings } from "./surroundings.ts";

/** Imports one file: prints the new conversation's id, and tells its title. Gives the exit status. */
export async function runImport(flags: Flags, surroundings: Surroundings): Promise<number> {
  if (flags.file === undefined) {
    throw new Mistake(`Say which file: ${MALAMA_COMMAND} import FILE, with what "export --format jsonl" wrote`);
  }
  const path = resolve(surroundings.cwd, flags.file);
  const file = await openFile(path);
  try {
    const config = await loadStartConfig(flags, surroundings);
    const link = await openLink(config, flags, surroundings, { talks: false });
    try {
      const made = await link.wire.upload<Conversation>("/api/import", file.readable, { type: "application/jsonl" });
      surroundings.stdout(`${made.id}\n`);
      const turns = made.turns === 1 ? "1 turn" : `${made.turns.toLocaleString("en")} turns`;
      surroundings.stderr(`Imported "${oneLine(made.title, 60)}", ${turns}\n`);
      return 0;
    } finally {
      await link.close();
    }
  } finally {
    closeQuietly(file);
  }
}

async function openFile(path: string): Promise<Deno.FsFile> {
  try {
    const file = await Deno.open(path, { read: true });
    if (!(await file.stat()).isDirectory) return file;
    file.close();
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) throw new Mistake(`There is no file "${path}"`);
    if (!(error instanceof Deno.errors.IsADirectory)) {
      const why = error instanceof Error ? error.message : String(error);
      throw new Mistake(`"${path}" cannot be read: ${why}`, 2, { cause: error });
    }
  }
  throw new Mistake(`"${path}" is a folder: name the file in it`);
}

/** Sending it to its end has closed it already. */
function closeQuietly(file: Deno.FsFile): void {
  try {
    file.close();
  } catch {
    // Closed before.
  }
}
