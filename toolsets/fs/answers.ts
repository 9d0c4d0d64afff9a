/**
 * What reading and writing files is told as.
 *
 * @module
 */
import {
  type FileRead,
  FileRefused,
  type Files,
  type FileWindow,
  type FileWritten,
  type FolderEntry,
  shownName,
} from "../../core/files/mod.ts";
import { fence } from "../fence.ts";

/** Does a piece of work with files; what is refused is the answer (K-328). */
export async function attempt<T>(work: () => Promise<T>): Promise<T | string> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof FileRefused) return `${error.message}.`;
    throw error;
  }
}

/** A window of a file, fenced, with the line that says how to go on. */
function windowText(shown: string, window: FileWindow): string {
  const { lines, from, total, bytes } = window;
  if (bytes === 0) return `${shown} is empty.`;
  if (lines.length === 0) {
    return `${shown} ends before line ${from}: it has ${total} lines. Begin at 1.`;
  }
  const last = from + lines.length - 1;
  const of = total === null ? "of more than can be counted quickly" : `of ${total}`;
  return fence({
    source: { called: `the file ${shown}` },
    before: [`Lines ${from} to ${last} ${of}, ${bytes} bytes${notes(window)}`],
    content: lines.join("\n"),
    after: goOn(window, last),
  });
}

function notes({ encoding, ending, isDamaged }: FileWindow): string {
  return [
    encoding === "utf-8" ? "" : `; read as ${encoding}`,
    ending === "crlf" ? "; lines end with CRLF" : ending === "mixed" ? "; lines end with LF and with CRLF" : "",
    isDamaged ? "; some bytes are no text and stand as \uFFFD" : "",
  ].join("");
}

function goOn({ isEnd, cutLine, lines }: FileWindow, last: number): readonly string[] {
  const cut = cutLine === null
    ? []
    : [`[Line ${last} has ${cutLine} characters, and its first ${lines.at(-1)?.length ?? 0} are shown]`];
  const more = isEnd ? [] : [`[The file goes on: call read_file with offset ${last + 1}]`];
  return [...cut, ...more];
}

/** A folder, fenced: names are words from outside. */
export function folderText(listing: Awaited<ReturnType<Files["list"]>>, now: Date): string {
  const { shown, entries, from, total } = listing;
  if (total === 0) return `${shown} is empty.`;
  if (entries.length === 0) return `${shown} has ${total} entries: begin at 1.`;
  const last = from + entries.length - 1;
  return fence({
    source: { called: `the folder ${shown}` },
    before: [total === entries.length ? `${total} entries` : `Entries ${from} to ${last} of ${total}`],
    content: entries.map((entry) => entryLine(entry, now)).join("\n"),
    after: last < total ? [`[There are more: call list_directory with offset ${last + 1}]`] : [],
  });
}

function entryLine({ name, kind, size, modified, target }: FolderEntry, now: Date): string {
  const label = kind === "folder" ? `${shownName(name)}/` : shownName(name);
  const facts = [
    ...(kind === "link" ? [`link to ${shownName(target ?? "?")}`] : []),
    ...(kind === "other" ? ["no file or folder"] : []),
    ...(size === null ? [] : [`${size} bytes`]),
    ...(modified === null || kind !== "file" ? [] : [day(modified, now)]),
  ];
  return facts.length === 0 ? label : `${label}  (${facts.join(", ")})`;
}

/** The day, and the time too where it is today. UTC. */
function day(date: Date, now: Date): string {
  const text = date.toISOString();
  return text.slice(0, 10) === now.toISOString().slice(0, 10) ? `today ${text.slice(11, 16)} UTC` : text.slice(0, 10);
}

/** A picture, or a window of text. */
export function readAnswer(read: FileRead) {
  if (read.is === "text") return windowText(read.shown, read.window);
  const text = `${read.shown} is a picture (${read.mediaType}, ${read.bytes.length} bytes); it is attached.`;
  return { text, images: [{ media_type: read.mediaType, data: read.bytes, name: read.shown }] };
}

/** What a change did, and how it is undone. */
export function writtenText(written: FileWritten): string {
  const { shown, isNew, bytes, isUnchanged, before, wasEncoded, line, otherNames } = written;
  if (isUnchanged) return `${shown} says just that already: nothing was written.`;
  const done = isNew ? `Made ${shown}` : line === null ? `Replaced ${shown}` : `Edited ${shown} at line ${line}`;
  return [
    `${done}, ${bytes} bytes.`,
    ...(wasEncoded === null ? [] : [`It was ${wasEncoded} and is UTF-8 now.`]),
    ...(otherNames === 0
      ? []
      : [`The same file had ${otherNames} other name(s), which still show what was there before.`]),
    ...undo(written, before),
  ].join(" ");
}

function undo({ isNew, line }: FileWritten, before: string | null): readonly string[] {
  if (isNew) return ["To undo, the person deletes it."];
  const kept = before === null
    ? []
    : [`What was there before is kept at /payloads/${before}, where the person finds it.`];
  return line === null ? kept : ["To undo, call edit_file with the two texts exchanged.", ...kept];
}
