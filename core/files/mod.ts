/** The one door to the disk: which files tools may read and write, in windows and in one step. */
import { serviceKey } from "../tool/mod.ts";
import type { Files } from "./files.ts";

/** The door, for a toolset's `service(FILES)`. */
export const FILES = serviceKey<Files>("files");

export { FileRefused } from "./file_refused.ts";
export { createFiles, type FileEdit, type FileRead, type Files, type FilesOptions, type FileWritten } from "./files.ts";
export { shownName } from "./reach.ts";
export type { FolderEntry, FolderListing } from "./folder.ts";
export type { Reader } from "./read_ledger.ts";
export type { FileWindow } from "./window.ts";
