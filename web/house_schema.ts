/**
 * What requests and answers about the house look like: agents, toolsets, models, settings, usage, how it is.
 *
 * @module
 */
import { z } from "zod";
import { thinkingSchema, usageSchema } from "../core/log/mod.ts";
import { instant, named } from "./schema.ts";

/** How usage is added up. */
export const usageQuery = z.object({
  by: z.enum(["day", "agent", "model"]).default("day"),
  days: z.coerce.number().int().min(1).max(36_600).optional().describe("The last so many, today included; default all"),
  zone: z.string().refine(isZone, 'Must be a time zone such as "Europe/Berlin"').optional()
    .describe("Where days begin; default the machine's zone"),
});

function isZone(name: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat("en", { timeZone: name }));
  } catch {
    return false;
  }
}

/** The usage of a day, an agent or a model. */
export const usageRow = named(
  "UsageRow",
  z.object({
    key: z.string().describe("A day as 2026-01-31, the name of an agent, or a model string"),
    turns: z.number().int(),
    unpriced: z.number().int().describe("Turns whose cost is not known; models of this machine cost nothing"),
    known_cost: z.number().describe("US dollars of the turns whose cost is known"),
    usage: usageSchema,
  }),
);

const toolSummary = z.object({ name: z.string(), description: z.string() });

/** A declared agent. */
export const agent = named(
  "Agent",
  z.looseObject({
    name: z.string(),
    description: z.string(),
    entry: z.boolean(),
    model: z.string(),
    thinking: thinkingSchema.nullable(),
    max_iterations: z.number().int(),
    delegates_to: z.array(z.string()),
    toolsets: z.array(z.object({ name: z.string(), resident: z.boolean() })),
    tools: z.array(z.looseObject({ name: z.string(), toolset: z.string(), description: z.string() })),
    gates: z.object({ confirm: z.array(z.string()), review: z.array(z.string()) }),
  }),
);

const permissions = z.record(z.string(), z.array(z.string()));

/** An installed toolset. */
export const toolset = named(
  "Toolset",
  z.looseObject({
    name: z.string(),
    provider: z.string(),
    description: z.string(),
    entry_only: z.boolean(),
    wanted: permissions,
    granted: permissions,
    status: z.enum(["ready", "problem"]),
    problem: z.string().nullable(),
    from: z.string().nullable(),
    tools: z.array(toolSummary),
  }),
);

/** Which models are listed. */
export const modelQuery = z.object({
  all: z.enum(["true", "false"]).default("false").describe("Also those of providers without a key"),
});

const price = { input: z.number(), output: z.number() };

/** A model that can be chosen. */
export const model = named(
  "Model",
  z.looseObject({
    string: z.string(),
    provider: z.string(),
    id: z.string(),
    context_window: z.number().int().optional().describe("Tokens"),
    max_output: z.number().int().optional().describe("Tokens"),
    images: z.boolean(),
    tools: z.boolean(),
    thinking: z.boolean(),
    source: z.enum(["configured", "local", "demo", "catalogue"]),
    reachable: z.boolean().nullable(),
    needs_key: z.string().nullable().describe("The environment variable that must hold a key first"),
    price: z.looseObject(price).optional().describe("US dollars per million tokens; absent when it is not known"),
  }),
);

/** An object whose shape is not described here. */
export const anything = z.looseObject({});

/** Every setting as it stands. */
export const settings = named(
  "Settings",
  z.object({
    version: z.string().describe("A hash of the file"),
    values: z.record(
      z.string(),
      z.object({
        value: z.unknown(),
        hot: z.boolean().describe("Applies without a restart"),
        locked: z.boolean(),
        source: z.enum(["file", "default", "flag", "environment"]),
      }),
    ),
  }),
);

/** A change of settings: all or none. */
export const settingsChange = named(
  "SettingsChange",
  z.strictObject({
    values: z.record(
      z.string(),
      z.unknown().describe("As TOML would hold it; null takes the setting out of the file, back to its default"),
    ).describe('By name, such as "assistant.generate_titles"'),
    version: z.string().optional().describe("The version the change was made from: refused when it is another by now"),
  }),
);

/** What a change of settings did. */
export const settingsChanged = named(
  "SettingsChanged",
  z.object({
    applied: z.array(z.string()).describe("Those that apply already"),
    restart: z.array(z.string()).describe("Those that wait for the next start"),
    version: z.string(),
  }),
);

/** What runs now. */
export const diagnostics = named(
  "Diagnostics",
  z.looseObject({
    version: z.string(),
    ready: z.boolean(),
    started_at: instant,
    uptime_seconds: z.number(),
    storage: z.object({ state: z.enum(["healthy", "damaged"]), detail: z.string().nullable() }),
    turns: z.array(z.looseObject({ conversation: z.string(), turn: z.string() })),
  }),
);

/** Whether Malama runs and is ready. */
export const health = named(
  "Health",
  z.object({ status: z.literal("ok"), version: z.string(), ready: z.boolean() }),
);

/** A one-time link that signs a browser in. */
export const loginLink = named("LoginLink", z.object({ url: z.string(), expires_at: instant }));
