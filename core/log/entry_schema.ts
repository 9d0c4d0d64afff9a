/**
 * The schemas of what `entry.ts` types: they check rows and imports. Unknown keys are kept, so that a file written by a
 * newer version loses nothing when an older one reads it.
 *
 * @module
 */
import { z } from "zod";
import type { EntryKind } from "./entry.ts";

const image = z.looseObject({ ref: z.string(), name: z.string(), media_type: z.string(), bytes: z.number() });
const file = z.looseObject({ ref: z.string(), name: z.string(), media_type: z.string(), bytes: z.number() });
const signature = z.looseObject({ provider: z.string(), data: z.string() });
const callUsage = z.looseObject({
  input_tokens: z.number(),
  output_tokens: z.number(),
  cached_tokens: z.number(),
  cache_write_tokens: z.number(),
  reasoning_tokens: z.number(),
});

/** A reasoning request as it is stored and sent. */
export const thinkingSchema = z.union([z.boolean(), z.enum(["low", "medium", "high"])]);

/** What a turn used. */
export const usageSchema = z.looseObject({
  calls: z.number(),
  reported_calls: z.number(),
  input_tokens: z.number(),
  output_tokens: z.number(),
  cached_tokens: z.number(),
  reasoning_tokens: z.number(),
  model_seconds: z.number(),
  wall_seconds: z.number(),
  cost: z.number().optional(),
  models: z.array(z.string()),
  by_agent: z.record(
    z.string(),
    z.looseObject({ calls: z.number(), input_tokens: z.number(), output_tokens: z.number() }),
  ),
});

/** The data of each entry kind. */
export const entryData: Readonly<Record<EntryKind, z.ZodType>> = {
  user: z.looseObject({
    text: z.string(),
    images: z.array(image),
    files: z.array(file).optional(),
    from: z.string(),
    token: z.string().optional(),
    tokens: z.array(z.string()).optional(),
    injected: z.enum(["continuation", "wrap_up"]).optional(),
  }),
  thinking: z.looseObject({ text: z.string(), signature: signature.optional(), ms: z.number().optional() }),
  text: z.looseObject({ text: z.string(), signature: signature.optional() }),
  tool: z.looseObject({
    call: z.string(),
    name: z.string(),
    toolset: z.string(),
    arguments: z.unknown(),
    status: z.enum(["waiting", "running", "done", "failed", "denied", "interrupted"]),
    result: z.string().optional(),
    result_ref: z.string().optional(),
    result_bytes: z.number().optional(),
    images: z.array(image).optional(),
    ms: z.number().optional(),
    signature: signature.optional(),
    started_at: z.string().optional(),
  }),
  approval: z.looseObject({
    entry: z.number(),
    agent: z.string(),
    tool: z.string(),
    arguments: z.unknown(),
    toolset: z.string().optional(),
    permissions: z.record(z.string(), z.array(z.string())).optional(),
    rule: z.looseObject({ agent: z.string(), toolset: z.string(), tool: z.string() }).optional(),
    expires_at: z.string().optional(),
    verdicts: z.array(
      z.looseObject({ reviewer: z.string(), model: z.string(), approved: z.boolean(), reason: z.string() }),
    ).optional(),
    scope: z.enum(["once", "turn", "conversation", "always"]).optional(),
    cause: z.literal("outside").optional(),
    decision: z.enum(["allow", "deny"]).optional(),
    by: z.enum(["person", "reviewer", "policy", "timeout", "restart"]).optional(),
    reason: z.string().optional(),
  }),
  run: z.looseObject({
    agent: z.string(),
    task: z.string(),
    status: z.enum(["running", "done", "stopped", "failed", "interrupted"]),
    model: z.string(),
  }),
  inbox: z.looseObject({
    text: z.string(),
    from: z.string(),
    to: z.string(),
    token: z.string().optional(),
    mixed: z.boolean().optional(),
    predates: z.boolean().optional(),
  }),
  undelivered: z.looseObject({ text: z.string(), from: z.string(), to: z.string(), token: z.string().optional() }),
  round: z.looseObject({
    kind: z.enum(["plain", "continuation", "wrap_up"]),
    model: z.string(),
    request_ref: z.string().optional(),
    request_bytes: z.number(),
    usage: callUsage.optional(),
    ms: z.number(),
    stop_reason: z.string(),
    error: z.string().optional(),
  }),
  plan: z.looseObject({ text: z.string() }),
  phase: z.looseObject({ label: z.string(), detail: z.string().optional() }),
  review: z.looseObject({ reviewer: z.string(), approved: z.boolean(), reason: z.string() }),
  image: z.looseObject({ ref: z.string(), from: z.string() }),
  notice: z.looseObject({ text: z.string(), level: z.enum(["info", "warning", "error"]) }),
  compaction: z.looseObject({
    summary: z.string(),
    upto: z.number(),
    tokens_before: z.number(),
    tokens_after: z.number(),
  }),
  channel: z.looseObject({
    graph: z.string(),
    channel: z.string(),
    direction: z.enum(["sent", "received"]),
    from: z.string(),
    text: z.string(),
  }),
};

const json = z.string().transform((text, context) => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    context.addIssue("is not JSON");
    return z.NEVER;
  }
});

/** A row of `turns`. */
export const turnRow = z.object({
  id: z.string(),
  conversation: z.string(),
  n: z.number(),
  parent: z.string().nullable(),
  origin: z.enum(["person", "task", "trigger", "channel", "follow_up", "rerun"]),
  status: z.enum(["running", "done", "stopped", "failed", "refused", "interrupted"]),
  agent: z.string(),
  model: z.string(),
  // A turn is what everything else hangs on: what only describes it must not make its conversation unreadable.
  thinking: json.pipe(thinkingSchema).nullable().catch(null),
  usage: json.pipe(usageSchema).nullable().catch(null),
  failure: z.string().nullable(),
  token: z.string().nullable(),
  started_at: z.string(),
  ended_at: z.string().nullable(),
});
