/**
 * What the lines of an export must look like to be taken in (export.ts describes the format). Unknown keys are ignored.
 *
 * @module
 */
import { z } from "zod";
import { thinkingSchema, usageSchema } from "../log/mod.ts";

/** Text that can be stored in a column. */
const text = (most: number) =>
  z.string().max(most).refine((value) => value.isWellFormed() && !value.includes("\0"), "Holds what is no text");
const id = text(200).min(1);
const sentence = text(1_000_000);
const time = z.iso.datetime({ offset: true, message: "Is not a time" });
/** Far more than anyone writes, and far from where numbers get inexact. */
const seq = z.number().int().min(0).max(2 ** 40);

/** The first line, once its version is known. */
export const headerLine = z.object({
  id,
  title: sentence,
  title_kind: z.enum(["placeholder", "generated", "given"]),
  agent: id,
  model: text(1000).nullable(),
  head: id.nullable(),
  pinned: z.boolean(),
  created_at: time,
  last_seq: seq,
  read_seq: seq,
});

/** A turn. What only describes it and cannot be read is left out. */
export const turnLine = z.object({
  id,
  conversation: id,
  n: seq.min(1),
  parent: id.nullable(),
  origin: z.enum(["person", "task", "trigger", "channel", "follow_up", "rerun"]),
  status: z.enum(["running", "done", "stopped", "failed", "refused", "interrupted"]),
  agent: text(200),
  model: text(1000),
  thinking: thinkingSchema.nullable().catch(null),
  usage: usageSchema.nullable().catch(null),
  failure: sentence.nullable(),
  token: id.nullable(),
  started_at: time,
  ended_at: time.nullable(),
});

/** An entry; its data is checked by its kind. */
export const entryLine = z.object({
  conversation: id,
  seq: seq.min(1),
  turn: id.nullable(),
  run: id.nullable(),
  parent_run: id.nullable(),
  kind: z.string().regex(/^[a-z][a-z0-9_]{0,63}$/, "Is no kind of entry"),
  state: z.enum(["open", "done"]),
  at: time,
  data: z.unknown(),
  /** Of an entry whose data could not be read any more where it was exported. */
  data_text: z.string().optional(),
});

/** A stored file, or the mark that it was lost. */
export const blobLine = z.object({
  hash: z.string().regex(/^[0-9a-f]{64}$/, "Is no SHA-256"),
  media_type: z.string().regex(/^[\w.+-]{1,60}\/[\w.+-]{1,60}(?:\s*;[\x20-\x7e]{0,80})?$/, "Is no media type")
    .nullable(),
  data: z.string().nullable(),
});

const count = z.number().int().min(0);

/** The last line. */
export const endLine = z.object({ turns: count, entries: count, blobs: count });

export type HeaderLine = z.output<typeof headerLine>;
export type TurnLine = z.output<typeof turnLine>;
export type EntryLine = z.output<typeof entryLine>;
export type BlobLine = z.output<typeof blobLine>;
