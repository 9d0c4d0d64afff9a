/**
 * What requests must look like and what answers do look like: what all share, and conversations. The OpenAPI description is
 * generated from these and from those of `house_schema.ts`, `approval_schema.ts` and `memory_schema.ts`.
 *
 * @module
 */
import { z } from "zod";
import { entryData, type EntryKind, IMAGE_TYPES, thinkingSchema, usageSchema } from "../core/log/mod.ts";
import { MAX_FILES, MAX_IMAGES } from "../core/turn/mod.ts";

/** Names of schemas in the OpenAPI description. */
export const schemaNames = z.registry<{ id: string }>();

/** Gives a schema its name in the description. */
export function named<S extends z.ZodType>(id: string, schema: S): S {
  schemaNames.add(schema, { id });
  return schema;
}

/** A time. */
export const instant = z.string().describe("ISO 8601 with an offset");

/** A list as every list call answers it. */
export function list<S extends z.ZodType>(item: S) {
  return z.object({ items: z.array(item) });
}

/** A problem document (RFC 9457). */
export const problemSchema = named(
  "Problem",
  z.object({
    type: z.string(),
    title: z.string(),
    status: z.number().int(),
    detail: z.string(),
    errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  }),
);

/** A row of the sidebar. */
export const conversation = named(
  "Conversation",
  z.object({
    id: z.string().describe("ULID"),
    title: z.string(),
    agent: z.string().describe("Name of the entry agent's table"),
    model: z.string().nullable().describe("null means the agent's own"),
    head: z.string().nullable().describe("The turn in view"),
    running: z.boolean(),
    pinned: z.boolean(),
    unread: z.boolean(),
    task: z.string().nullable(),
    graph: z.string().nullable(),
    origin: z.object({
      kind: z.enum(["branch", "copy", "import"]),
      conversation: z.string().optional(),
      turn: z.string().optional(),
    }).nullable(),
    turns: z.number().int(),
    created_at: instant,
    updated_at: instant,
  }),
);

const turnFields = {
  id: z.string(),
  conversation: z.string(),
  n: z.number().int().describe("Position on its path, from 1"),
  parent: z.string().nullable(),
  origin: z.enum(["person", "task", "trigger", "channel", "follow_up", "rerun"]),
  status: z.enum(["running", "done", "stopped", "failed", "refused", "interrupted"]),
  agent: z.string(),
  model: z.string(),
  thinking: thinkingSchema.nullable(),
  usage: named("Usage", usageSchema).nullable(),
  failure: z.string().nullable(),
  token: z.string().nullable(),
  started_at: instant,
  ended_at: instant.nullable(),
};

/** One exchange. */
export const turn = named("Turn", z.object(turnFields));

/** A turn in view, with the ids of all its versions. */
export const pathTurn = named(
  "PathTurn",
  z.object({ ...turnFields, siblings: z.array(z.string()).describe("All versions of this turn, oldest first") }),
);

/** A conversation with the turns in view. */
export const conversationDetail = named(
  "ConversationDetail",
  z.object({ ...conversation.shape, path: z.array(pathTurn).describe("The turns from the root to the head") }),
);

/** A page of conversations, newest first. */
export const conversationPage = named(
  "ConversationPage",
  z.object({ items: z.array(conversation), next: z.string().nullable().describe("`before` of the next page") }),
);

/** One line of the log. */
export const entry = named(
  "Entry",
  z.object({
    conversation: z.string(),
    seq: z.number().int(),
    turn: z.string().nullable(),
    run: z.string().nullable(),
    parent_run: z.string().nullable(),
    kind: z.enum(Object.keys(entryData) as EntryKind[]),
    state: z.enum(["open", "done"]),
    at: instant,
    data: z.record(z.string(), z.unknown()).describe("By kind: see docs/architecture.md"),
  }),
);

/** A page of entries in order of `seq`. */
export const entryPage = named("EntryPage", z.object({ items: z.array(entry), last_seq: z.number().int() }));

const limit = z.coerce.number().int().min(1).max(500);
const cursor = z.coerce.number().int().min(0);

/** Which conversations are listed. */
export const conversationQuery = z.object({
  limit: limit.default(50),
  before: z.iso.datetime({ offset: true, message: 'Must be a time such as "2026-01-31T12:00:00Z"' }).optional(),
  task: z.string().optional(),
});

/** Which entries are listed. */
export const entryQuery = z.object({
  after: cursor.optional(),
  before: cursor.optional(),
  limit: limit.default(200),
  all: z.enum(["true", "false"]).default("false").describe("Every branch, not only the path to the head"),
});

/** How a conversation is exported. */
export const exportQuery = z.object({
  format: z.enum(["md", "jsonl"]).default("md"),
  full: z.enum(["true", "false"]).default("false")
    .describe("With thinking and whole results in Markdown, with files in JSONL"),
});

const modelString = z.string().trim().min(1).max(500);
const title = z.string().trim().min(1, "A title cannot be empty").max(10_000);

/** A conversation to be made. */
export const conversationDraft = named(
  "ConversationDraft",
  z.object({
    agent: z.string().trim().min(1).max(200).optional(),
    title: title.optional().describe("Clamped to 40 characters"),
    model: modelString.optional(),
  }),
);

/** What is to change about a conversation. */
export const conversationChange = named(
  "ConversationChange",
  z.object({
    title: title.optional().describe("Clamped to 40 characters"),
    expected_title: z.string().optional().describe("The title as it was shown: 409 when it was changed meanwhile"),
    pinned: z.boolean().optional(),
    model: modelString.nullable().optional().describe("null for the agent's own"),
  }),
);

const storedFile = z.object({
  ref: z.string().regex(/^\/payloads\/[0-9a-f]{64}$/, "Must be like /payloads/<sha256>"),
  name: z.string().min(1).max(255),
  media_type: z.string(),
  bytes: z.number().int().nonnegative(),
});

const storedImage = z.object({
  ref: z.string().regex(/^\/images\/[0-9a-f]{64}$/, "Must be like /images/<sha256>"),
  name: z.string().min(1).max(255),
  media_type: z.string(),
  bytes: z.number().int().nonnegative(),
  width: z.number().int().positive().optional().describe("Pixels"),
  height: z.number().int().positive().optional().describe("Pixels"),
});

const sentImage = z.object({
  name: z.string().min(1).max(255),
  media_type: z.enum(IMAGE_TYPES),
  data: z.base64("Must be base64").min(1),
});

/** What was stored to be sent with a message; the message names it by `ref`. */
export const attachment = named(
  "Attachment",
  z.discriminatedUnion("kind", [
    storedImage.extend({ kind: z.literal("image") }),
    storedFile.extend({ kind: z.literal("file") }),
  ]),
);

/** What a file that is stored is called, and what it is. */
export const attachmentQuery = z.object({
  name: z.string().min(1).max(1000).describe("Its name; folders in it are dropped"),
});

/** A turn that something is to be done with. */
export const turnChoice = named("TurnChoice", z.object({ turn: z.string().min(1).max(200) }));

/** A message to be sent. */
export const messageDraft = named(
  "MessageDraft",
  z.object({
    text: z.string().default("").describe("May be blank only when there is a picture"),
    token: z.string().min(1).max(200).optional().describe("Makes it idempotent: the same token never runs twice"),
    images: z.array(z.union([sentImage, storedImage])).max(MAX_IMAGES).optional(),
    files: z.array(storedFile).max(MAX_FILES).optional().describe("Text files that were stored before"),
    thinking: thinkingSchema.optional(),
    parent: z.string().min(1).optional().describe("The turn it answers after; default the head"),
    plan: z.boolean().optional().describe("Asks for a plan first, where a planning workflow is declared"),
    queue: z.boolean().optional().describe(
      "A turn of its own, also while another runs; otherwise it goes into that one",
    ),
  }).refine(({ text, images, files }) => text.trim() !== "" || [...images ?? [], ...files ?? []].length > 0, {
    path: ["text"],
    message: "Write something, or attach a picture or a file",
  }),
);

/** What became of a message. */
export const messageReceipt = named(
  "MessageReceipt",
  z.object({
    fate: z.enum(["turn", "joined", "answered", "command"]),
    turn: z.string().optional(),
    seq: z.number().int().optional(),
    queued: z.boolean().optional(),
    text: z.string().optional().describe("The answer to a slash command"),
  }),
);

/** A message that was accepted and was neither read nor begun as a turn yet. */
export const pendingMessage = named(
  "PendingMessage",
  z.object({
    id: z.string().describe("It becomes the turn's when the message starts one"),
    text: z.string(),
    images: z.array(storedImage),
    files: z.array(storedFile),
    token: z.string().nullable(),
    thinking: thinkingSchema.nullable(),
    joins: z.string().nullable().describe(
      "The running turn that is to read it; null: it waits to be a turn of its own",
    ),
    at: instant,
  }),
);

/** Another text for a message. */
export const newText = named(
  "NewText",
  z.object({ text: z.string().describe("May be blank only with a picture or file") }),
);

/** How another answer to the same message is asked for. */
export const rerun = named(
  "Rerun",
  z.object({ model: modelString.optional().describe("For this turn alone"), thinking: thinkingSchema.optional() }),
);

/** The turn that was begun or waits in line. */
export const startedTurn = z.object({ turn: z.string() });

/** What is searched for. The words are taken as they are typed: a blank at the end ends the last word. */
export const searchQuery = z.object({
  q: z.string().max(10_000, "Search for 10,000 characters at most").refine((words) => words.trim() !== "", {
    message: "Write what to search for",
  }),
  mode: z.enum(["text", "meaning", "both"]).default("text").describe("Search by meaning needs embeddings"),
  limit: z.coerce.number().int().min(1).max(100).default(20),
});

/** A place where words were found. */
export const searchHit = named(
  "SearchHit",
  z.object({
    conversation: z.string(),
    title: z.string(),
    turn: z.string().nullable(),
    seq: z.number().int().describe("Of the entry: the page opens there with `?at=`"),
    snippet: z.string().describe("Plain text; what matched stands between U+E000 and U+E001"),
    score: z.number().describe("From 0 to 1; the items come in this order"),
    match: z.enum(["phrase", "all_terms", "meaning"]),
  }),
);
