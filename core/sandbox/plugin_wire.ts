/**
 * What passes between us and the process of a third party's toolset: JSON-RPC 2.0, one message a line.
 *
 * A process may write anything. Nothing of it is believed before it has passed the schemas here
 * (tests/core/sandbox/plugin_host_test.ts).
 *
 * @module
 */
import { z } from "zod";
import type { AgentFacts } from "../tool/mod.ts";

/** The longest line that is read from a process, in bytes: a picture fits. */
export const LONGEST_LINE = 16 * 1024 * 1024;

/** How many bytes that are no answers are read before the process is ended. */
export const MOST_GARBAGE = 1024 * 1024;

/** A whole description, in characters: a model is shown most of it. */
const LONGEST_DESCRIPTION = 200_000;

/** How deep a schema may be nested. */
const DEEPEST_SCHEMA = 24;

const list = z.array(z.string().max(1000)).max(200).optional();
const text = z.string().max(20_000);
const schema = z.record(z.string(), z.unknown()).refine((value) => isShallow(value, DEEPEST_SCHEMA), "nested too deep");
const forObject = schema.refine(({ type }) => type === "object", 'its "type" has to be "object"');

const tool = z.object({
  spec: z.object({ name: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/), description: text, input: forObject }),
  concurrent: z.boolean(),
  timeoutSeconds: z.number().positive(),
});

/** A toolset as its process describes it. */
export const pluginDescription = z.object({
  description: text,
  guidance: text.optional(),
  crossCutting: z.boolean(),
  entryOnly: z.boolean(),
  permissions: z.object({ net: list, read: list, write: list, env: list, run: list }),
  /** JSON Schema of its settings. */
  settings: schema,
  tools: z.array(tool).max(200),
}).refine((value) => JSON.stringify(value).length <= LONGEST_DESCRIPTION, "it is too long");

/** A toolset as its process describes it. */
export type PluginDescription = z.output<typeof pluginDescription>;

/** What `describe` is asked with. */
export interface DescribeRequest {
  readonly settings: Readonly<Record<string, unknown>>;
  readonly agent: AgentFacts;
}

/** What `call` is asked with. */
export interface CallRequest extends DescribeRequest {
  readonly tool: string;
  readonly input: unknown;
  readonly conversation: string;
  readonly turn: string;
}

/** What a call gave: an answer, or a sentence about its arguments (K-148). */
export const callOutcome = z.union([
  z.object({
    output: z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(z.unknown()), z.looseObject({})]),
  }),
  z.object({ problem: text }),
]);

const response = z.union([
  z.object({ jsonrpc: z.literal("2.0"), id: z.int(), result: z.unknown() }).strict(),
  z.object({
    jsonrpc: z.literal("2.0"),
    id: z.int(),
    error: z.object({ code: z.int(), message: z.string() }).strict(),
  }).strict(),
]);

/** An answer of a process. */
export type Response = z.output<typeof response>;

/** Reads a line. `null` when it is no answer of this protocol. */
export function readResponse(line: string): Response | null {
  try {
    return response.safeParse(JSON.parse(line)).data ?? null;
  } catch {
    return null;
  }
}

function isShallow(value: unknown, left: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  return left > 0 && Object.values(value).every((each) => isShallow(each, left - 1));
}
