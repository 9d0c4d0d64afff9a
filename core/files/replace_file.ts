/**
 * Puts a file in place in one step.
 *
 * Invariants (tests/core/files/files_test.ts)
 * 1. Whoever reads sees the old file or the new one, never half of one.
 * 2. A file that is replaced keeps its mode; one that changed or came meanwhile is not replaced.
 *
 * @module
 */
import { basename, dirname, join } from "node:path";
import { FileRefused } from "./file_refused.ts";
import { type FileState, isSameState, stateOf } from "./read_ledger.ts";

/**
 * Writes `bytes` at a real path. `before` is the state of the file that is replaced, `null` for one that is not there yet;
 * folders that are missing are made. Gives the state of the new file. Throws `FileRefused` when it is not in that state any
 * more, and what the system throws.
 */
export async function replaceFile(
  path: string,
  bytes: Uint8Array,
  before: { readonly state: FileState; readonly mode: number | null } | null,
): Promise<FileState> {
  const folder = dirname(path);
  if (before === null) await Deno.mkdir(folder, { recursive: true });
  // A name may have 255 bytes, and a character of this form takes three at most.
  const draft = join(folder, `.${basename(path).slice(0, 60)}.${crypto.randomUUID()}.new`);
  try {
    {
      using file = await Deno.open(draft, { write: true, createNew: true, mode: before === null ? 0o666 : 0o600 });
      for (let written = 0; written < bytes.length;) written += await file.write(bytes.subarray(written));
      if (before?.mode && Deno.build.os !== "windows") await Deno.chmod(draft, before.mode & 0o7777);
      await file.sync();
    }
    // No await from here on: nothing in this process can come between the look and the rename.
    const now = stateNow(path);
    const isAsBefore = before === null ? now === null : now !== null && isSameState(now, before.state);
    if (!isAsBefore || Deno.realPathSync(folder) !== folder) {
      throw new FileRefused("stale", "It changed while it was being written, and was left as it is: read it again");
    }
    Deno.renameSync(draft, path);
    return stateOf(Deno.lstatSync(path));
  } finally {
    await Deno.remove(draft).catch(() => {});
  }
}

function stateNow(path: string): FileState | null {
  try {
    return stateOf(Deno.lstatSync(path));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return null;
    throw error;
  }
}
