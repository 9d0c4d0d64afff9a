/**
 * Files as tools work with them: listed, read in windows, written whole, edited.
 *
 * Invariants (tests/core/files/files_test.ts)
 * 1. Nothing is opened but regular files, inside of what tools may reach (`Reach`): no pipe, no device, no socket.
 * 2. A file that is there is only changed by an agent that has read it in this conversation, and only as it read it (T-149);
 *    replacing it whole takes having read the whole of it.
 * 3. What was there before a change is kept with the conversation, where it is no larger than `EDITED_BYTES`.
 *
 * @module
 */
import { encodingOf, isBinary, markOf, type TextEncoding } from "./binary.ts";
import { lineEndingOf, replaceOnce, withEnding } from "./edit_text.ts";
import { FileRefused, systemRefusal } from "./file_refused.ts";
import { type FolderListing, readFolder } from "./folder.ts";
import { type Place, Reach, type ReachOptions } from "./reach.ts";
import { type FileState, type Reader, ReadLedger, stateOf } from "./read_ledger.ts";
import {
  decoded,
  EDITED_BYTES,
  type Existing,
  existing,
  openRegular,
  type Picture,
  pictureOf,
  readAll,
  readBeginning,
} from "./regular_file.ts";
import { replaceFile } from "./replace_file.ts";
import { type FileWindow, readWindow, type WindowOptions } from "./window.ts";

/** A passage and what takes its place. */
export interface FileEdit {
  readonly old: string;
  readonly fresh: string;
}

/** What a change did. */
export interface FileWritten {
  readonly shown: string;
  readonly isNew: boolean;
  readonly bytes: number;
  /** Whether what was written is what was there. */
  readonly isUnchanged: boolean;
  /** What was there before, as a stored file: 64 hex digits; `null` where nothing was or it was not kept. */
  readonly before: string | null;
  /** The encoding it had, where that is not the UTF-8 it has now. */
  readonly wasEncoded: TextEncoding | null;
  /** Line of an edit, from 1; `null` for a whole file. */
  readonly line: number | null;
  /** Other names (hard links) that still show what was there before. */
  readonly otherNames: number;
}

/** What reading gives. */
export type FileRead =
  | { readonly is: "text"; readonly shown: string; readonly path: string; readonly window: FileWindow }
  | { readonly is: "picture"; readonly shown: string; readonly path: string } & Picture;

/** The door. Everything throws `FileRefused`. */
export interface Files {
  /** The folders that may be reached, as they are shown. */
  readonly folders: readonly string[];
  list(path: string, part: { readonly from: number; readonly most: number }): Promise<
    FolderListing & { readonly shown: string; readonly path: string }
  >;
  read(reader: Reader, path: string, window: WindowOptions): Promise<FileRead>;
  write(reader: Reader, path: string, content: string): Promise<FileWritten>;
  edit(reader: Reader, path: string, edit: FileEdit): Promise<FileWritten>;
  /** The bytes of a file that a tool hands on as they are. */
  bytes(path: string, most: number): Promise<{ readonly shown: string; readonly bytes: Uint8Array<ArrayBuffer> }>;
  /** The real path of a folder to work in. */
  folder(path: string): Promise<string>;
}

export interface FilesOptions extends ReachOptions {
  /** Keeps what a file held, with a conversation; gives its hash. */
  readonly keep: (bytes: Uint8Array, conversation: string) => Promise<string>;
}

/** Makes the door. */
export function createFiles(options: FilesOptions): Files {
  return new DiskFiles(options);
}

class DiskFiles implements Files {
  readonly #reach: Reach;
  readonly #ledger = new ReadLedger();
  readonly #keep: FilesOptions["keep"];

  constructor({ keep, ...reach }: FilesOptions) {
    this.#keep = keep;
    this.#reach = new Reach(reach);
  }

  get folders(): readonly string[] {
    return this.#reach.folders;
  }

  async list(text: string, part: { readonly from: number; readonly most: number }): ReturnType<Files["list"]> {
    const place = await this.#reach.locate(text, "read");
    return await said(place, async () => {
      if (!(await Deno.stat(place.path)).isDirectory) {
        throw new FileRefused("kind", `${place.shown} is a file, not a folder: read it with read_file`);
      }
      return { ...await readFolder(place.path, part), ...place };
    });
  }

  async folder(text: string): Promise<string> {
    const place = await this.#reach.locate(text, "read");
    return await said(place, async () => {
      if ((await Deno.stat(place.path)).isDirectory) return place.path;
      throw new FileRefused("kind", `${place.shown} is a file, not a folder: name the folder to work in`);
    });
  }

  async read(reader: Reader, text: string, window: WindowOptions): Promise<FileRead> {
    const place = await this.#reach.locate(text, "read");
    return await said(place, async () => {
      using file = await openRegular(place);
      const info = await file.stat();
      const beginning = await readBeginning(file);
      if (isBinary(place.path, beginning)) {
        return { is: "picture", ...await pictureOf(place, file, info.size), ...place };
      }
      await file.seek(0, Deno.SeekMode.Start);
      const read = await readWindow(file, info.size, window);
      const next = read.isEnd ? Infinity : read.from + read.lines.length;
      this.#ledger.note(reader, place.path, stateOf(info), { from: read.from, next });
      return { is: "text", window: read, ...place };
    });
  }

  async bytes(text: string, most: number): ReturnType<Files["bytes"]> {
    const place = await this.#reach.locate(text, "read");
    return await said(place, async () => {
      using file = await openRegular(place);
      const { size } = await file.stat();
      if (size > most) {
        throw new FileRefused("kind", `${place.shown} has ${size} bytes, and at most ${most} can be taken`);
      }
      return { shown: place.shown, bytes: await readAll(file, size) };
    });
  }

  async write(reader: Reader, text: string, content: string): Promise<FileWritten> {
    const place = await this.#reach.locate(text, "write");
    return await said(place, async () => {
      const found = await existing(place);
      if (found === null) {
        return await this.#replace(reader, place, null, new TextEncoder().encode(content), null);
      }
      this.#checkKnown(reader, place, found.state, "whole");
      const encoding = found.bytes === null ? "utf-8" : encodingOf(found.bytes);
      const before = found.bytes === null ? content : new TextDecoder(encoding).decode(found.bytes);
      const mark = found.bytes !== null && markOf(found.bytes) === "utf-8" ? "\uFEFF" : "";
      const fresh = before === "" ? content : withEnding(content, lineEndingOf(before));
      return await this.#replace(reader, place, found, new TextEncoder().encode(mark + fresh), null);
    });
  }

  async edit(reader: Reader, text: string, { old, fresh }: FileEdit): Promise<FileWritten> {
    if (old === "") throw new FileRefused("match", "Say which text to replace: copy it from what read_file gave");
    if (old === fresh) throw new FileRefused("match", "Both texts are the same: nothing would change");
    const place = await this.#reach.locate(text, "write");
    return await said(place, async () => {
      const found = await existing(place);
      if (found === null) {
        throw new FileRefused("missing", `There is no file at ${place.shown}: make it with write_file`);
      }
      if (found.bytes === null) {
        throw new FileRefused("kind", `${place.shown} is larger than ${EDITED_BYTES} bytes and is not edited here`);
      }
      this.#checkKnown(reader, place, found.state, "part");
      const before = decoded(place, found.bytes);
      const outcome = replaceOnce(before, old, fresh);
      switch (outcome.is) {
        case "done": {
          const bytes = new TextEncoder().encode(outcome.text);
          return await this.#replace(reader, place, found, bytes, outcome.line);
        }
        case "absent":
          throw new FileRefused("match", absentText(place, outcome.near));
        case "ambiguous":
          throw new FileRefused(
            "match",
            `That text stands ${outcome.count} times in ${place.shown}, first at line ${
              outcome.lines.join(", ")
            }: take in more ` +
              "of what is around the right one. Nothing was written",
          );
        default:
          return outcome satisfies never;
      }
    });
  }

  #checkKnown(reader: Reader, place: Place, state: FileState, least: "part" | "whole"): void {
    const known = this.#ledger.knowledge(reader, place.path, state);
    if (known === "whole" || known === least) return;
    const again = "Nothing was written";
    if (known === "stale") {
      throw new FileRefused("stale", `${place.shown} changed since you read it: read it again first. ${again}`);
    }
    if (known === "part") {
      throw new FileRefused(
        "unread",
        `You have read only a part of ${place.shown}, and the rest would be lost: read on to its end, or use edit_file. ${again}`,
      );
    }
    throw new FileRefused(
      "unread",
      `${place.shown} is there already, and you have not read it in this conversation: read it first. ${again}`,
    );
  }

  async #replace(
    reader: Reader,
    place: Place,
    found: Existing | null,
    bytes: Uint8Array,
    line: number | null,
  ): Promise<FileWritten> {
    const before = found?.bytes ?? null;
    const isUnchanged = before !== null && before.length === bytes.length &&
      before.every((byte, at) => byte === bytes[at]);
    const kept = before === null || isUnchanged ? null : await this.#keep(before, reader.conversation);
    if (!isUnchanged) this.#ledger.noteWritten(reader, place.path, await replaceFile(place.path, bytes, found));
    const encoding = before === null ? "utf-8" : encodingOf(before);
    return {
      shown: place.shown,
      isNew: found === null,
      bytes: bytes.length,
      isUnchanged,
      before: kept,
      wasEncoded: encoding === "utf-8" ? null : encoding,
      line,
      otherNames: isUnchanged ? 0 : Math.max(0, (found?.names ?? 1) - 1),
    };
  }
}

function absentText({ shown }: Place, near: number | null): string {
  const hint = near === null
    ? "read it again and copy the text exactly"
    : `at line ${near} the same words stand with other blanks or line breaks, so copy them from there exactly`;
  return `That text is not in ${shown}: ${hint}. Nothing was written`;
}

/** Says what the system says in sentences. */
async function said<T>({ shown }: Place, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw systemRefusal(error, shown);
  }
}
