/** The log: entries, the append-only store of them, and what is read from it. */
export * from "./entry.ts";
export * from "./entry_schema.ts";
export { errorText } from "./error_text.ts";
export * from "./feed.ts";
export * from "./log.ts";
export { type Closing, closing, type OpenEntry } from "./open_entry.ts";
export { IMAGE_TYPES, type ImageType, type PictureHeader, readPicture } from "./picture.ts";
export * from "./reader.ts";
export * from "./rows.ts";
export * from "./ulid.ts";
export * from "./folds/context.ts";
export * from "./interrupted.ts";
export * from "./folds/usage.ts";
export * from "./folds/markdown.ts";
export * from "./folds/transcript.ts";
