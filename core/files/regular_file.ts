/**
 * Regular files, opened with care: nothing else is opened, and not what took the place of what was looked at.
 *
 * @module
 */
import { extname } from "node:path";
import { readPicture } from "../log/mod.ts";
import { isBinary, LOOKED_AT } from "./binary.ts";
import { FileRefused } from "./file_refused.ts";
import type { Place } from "./reach.ts";
import { type FileState, isSameState, stateOf } from "./read_ledger.ts";

/** Largest file that is edited, and of which what was before is kept. */
export const EDITED_BYTES = 16 * 1024 * 1024;

/** Largest picture that is given. */
const PICTURE_BYTES = 8 * 1024 * 1024;

/** A picture, whole. */
export interface Picture {
  readonly mediaType: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** A file that is there. */
export interface Existing {
  readonly state: FileState;
  readonly mode: number | null;
  readonly names: number;
  /** `null` where it is larger than `EDITED_BYTES`. */
  readonly bytes: Uint8Array<ArrayBuffer> | null;
}

/** The file that a change is about, or `null` when there is none. */
export async function existing(place: Place): Promise<Existing | null> {
  try {
    await Deno.lstat(place.path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return null;
    throw error;
  }
  using file = await openRegular(place);
  const info = await file.stat();
  const beginning = await readBeginning(file);
  if (isBinary(place.path, beginning)) {
    throw new FileRefused("kind", `${place.shown} is no text, and is not replaced by one: write to another path`);
  }
  await file.seek(0, Deno.SeekMode.Start);
  const bytes = info.size > EDITED_BYTES ? null : await readAll(file, info.size);
  return { state: stateOf(info), mode: info.mode, names: info.nlink ?? 1, bytes };
}

/** Opens what is at a real path, if it is a regular file and still the one that is there. */
export async function openRegular({ path, shown }: Place): Promise<Deno.FsFile> {
  const before = await Deno.lstat(path);
  if (before.isDirectory) throw new FileRefused("kind", `${shown} is a folder: look into it with list_directory`);
  if (!before.isFile) throw new FileRefused("kind", `${shown} is no regular file, so it is not opened`);
  const file = await Deno.open(path, { read: true });
  try {
    const [info, real] = await Promise.all([file.stat(), Deno.realPath(path)]);
    const isSame = info.isFile && info.dev === before.dev && isSameState(stateOf(info), stateOf(before));
    if (isSame && real === path) return file;
    throw new FileRefused("stale", `${shown} changed while it was being opened: try again`);
  } catch (error) {
    file.close();
    throw error;
  }
}

/** The picture in a file that is no text. Throws `FileRefused` when it is none that a model can be shown. */
export async function pictureOf(place: Place, file: Deno.FsFile, size: number): Promise<Picture> {
  if (size <= PICTURE_BYTES) {
    await file.seek(0, Deno.SeekMode.Start);
    const bytes = await readAll(file, size);
    const picture = readPicture(bytes);
    if (picture?.whole) return { mediaType: picture.media_type, bytes };
  }
  const kind = extname(place.path).slice(1).toLowerCase();
  const what = kind === "" ? "binary data" : `a binary file (${kind})`;
  throw new FileRefused("kind", `${place.shown} is ${what} of ${size} bytes, not text, and is not shown`);
}

/** What the kind of a file is told by. */
export async function readBeginning(file: Deno.FsFile): Promise<Uint8Array<ArrayBuffer>> {
  return await readAll(file, LOOKED_AT);
}

/** Up to `size` bytes from where the file stands. */
export async function readAll(file: Deno.FsFile, size: number): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(size);
  let filled = 0;
  while (filled < size) {
    const read = await file.read(bytes.subarray(filled));
    if (read === null) break;
    filled += read;
  }
  return bytes.subarray(0, filled);
}

/** The text of a file that is edited; its mark stays in it. */
export function decoded({ shown }: Place, bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    const text =
      `${shown} is not UTF-8, and an edit could damage it: replace it whole with write_file, which makes it UTF-8`;
    throw new FileRefused("kind", text, { cause: error });
  }
}
