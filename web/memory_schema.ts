/**
 * What requests about memories and documents must look like and what their answers do look like.
 *
 * @module
 */
import { z } from "zod";
import { MAX_DOCUMENT_LENGTH, MAX_MEMORY_LENGTH } from "../core/memory/mod.ts";
import { schemaNames } from "./schema.ts";

function named<S extends z.ZodType>(id: string, schema: S): S {
  schemaNames.add(schema, { id });
  return schema;
}

const instant = z.string().describe("ISO 8601 with an offset");
const score = z.number().describe("From 0 to 1; hits come in this order");

/** A fact that is remembered. */
export const memory = named(
  "Memory",
  z.object({
    id: z.string().describe("ULID"),
    text: z.string(),
    origin: z.string().nullable().describe("The conversation it was stored from; null when a person wrote it"),
    created_at: instant,
    updated_at: instant,
    score: score.optional(),
  }),
);

/** A page of memories. */
export const memoryPage = named(
  "MemoryPage",
  z.object({
    items: z.array(memory),
    next: z.string().nullable().describe("`before` of the next page"),
    count: z.number().int().describe("How many there are in all"),
  }),
);

/** Which memories are listed. */
export const memoryQuery = z.object({
  q: z.string().max(10_000).optional().describe(
    "Searches by meaning and words, the best first; without it the newest first",
  ),
  limit: z.coerce.number().int().min(1).max(200).default(50),
  before: z.string().optional().describe("The id of the last memory seen"),
});

/** The text of a memory. */
export const memoryText = z.object({
  text: z.string().trim().min(1, "A memory cannot be empty").max(MAX_MEMORY_LENGTH),
});

const info = {
  path: z.string().describe("Like travel/coast.md"),
  characters: z.number().int(),
  revision: z.number().int().describe("Grows with each change"),
  created_at: instant,
  updated_at: instant,
};

/** A document without its text; with an excerpt where a search found it. */
export const documentInfo = named(
  "DocumentInfo",
  z.object({
    ...info,
    excerpt: z.string().optional(),
    from: z.number().int().optional().describe("Where the excerpt begins"),
    to: z.number().int().optional().describe("Where it ends"),
    score: score.optional(),
  }),
);

/** A page of documents. */
export const documentPage = named(
  "DocumentPage",
  z.object({ items: z.array(documentInfo), next: z.string().nullable().describe("`after` of the next page") }),
);

/** A whole document. */
export const document = named("Document", z.object({ ...info, content: z.string() }));

/** Which documents are listed. */
export const documentQuery = z.object({
  q: z.string().max(10_000).optional().describe("Searches by words, the best first; without it in order of the paths"),
  under: z.string().optional().describe("Only those in this folder"),
  after: z.string().optional().describe("The last path seen"),
  limit: z.coerce.number().int().min(1).max(500).default(200),
});

/** The text of a document. */
export const documentText = z.object({
  content: z.string().max(MAX_DOCUMENT_LENGTH),
  revision: z.number().int().optional().describe("The revision that was read: 409 when it is another by now"),
});
