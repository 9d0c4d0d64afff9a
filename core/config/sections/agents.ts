/**
 * `[agents.<name>]`: who there is, what each may use and when it asks (K section 1.2, T section 24). A recipe's creatures take
 * the same keys, so the sections are made by a function.
 *
 * @module
 */
import { z } from "zod";
import { key, type Keys, section, type SectionRule } from "../key_rule.ts";
import { triggersSection } from "./triggers.ts";
import { count, names, text, thinking } from "./values.ts";

/** Sampling and limits of a model call; only what is written is sent. */
export const generationKeys = {
  temperature: key(z.number().min(0).max(2).optional(), "How freely the model chooses its words"),
  top_p: key(z.number().min(0).max(1).optional(), "Only the likeliest words up to this share are drawn from"),
  top_k: key(count().optional(), "Only this many of the likeliest words are drawn from"),
  min_p: key(z.number().min(0).max(1).optional(), "Words less likely than this share of the likeliest are left out"),
  presence_penalty: key(z.number().min(-2).max(2).optional(), "Above 0 favours words not used yet"),
  repetition_penalty: key(z.number().positive().optional(), "Above 1 makes repetition less likely"),
  max_tokens: key(count().optional(), "Longest answer of one model call, in tokens"),
  context_length: key(count().optional(), "The context window in tokens; compaction starts at three quarters of it"),
};

/** Who decides about a gated call. */
export const policyKeys = {
  confirm: key(names().optional(), "Calls that need a person: `toolset`, `toolset.*` or `toolset.tool`"),
  review: key(names().optional(), "Gated calls a reviewer may answer instead of a person"),
};

/** What an agent holds. */
export const agentToolKeys = {
  available: key(
    z.union([names(), z.literal("all")], { error: 'must be a list of toolset names or "all"' }).optional(),
    'Toolsets it may use, or "all"; none when not written',
  ),
  resident: key(names().optional(), "Those of `available` in hand from the first turn; all when not written"),
  ...policyKeys,
};

const output = z.strictObject({
  to: text(),
  with_content: z.boolean().optional(),
  prompt: z.string().optional(),
  prompt_format: z.enum(["simple"]).optional(),
  allow_self_trigger: z.boolean().optional(),
});

const namedEntry = z.union([text(), z.looseObject({ name: text() })], {
  error: "must be names, or tables with a name",
});

/** The scalar keys of an agent. */
export const agentKeys = {
  description: key(z.string().optional(), "What it is for, in a line: a delegating agent reads it"),
  system_message: key(z.string().optional(), "First part of its prompt; `[assistant].system_message` when not written"),
  model: key(text().optional(), "Its own model string"),
  thinking: key(thinking().optional(), "Its own thinking level"),
  max_iterations: key(count().optional(), "Model calls in one run, the closing one not counted"),
  budget_tokens: key(count().optional(), "Tokens one run of it may use, those of its own sub-agents included"),
  budget_cost: key(z.number().positive().optional(), "The same in US dollars"),
  delegates_to: key(names().optional(), "Agents it may hand work to; no circles"),
  tool_format: key(
    z.enum(["native", "bracket", "xml"]).optional(),
    "How tool calls are written; native when not written",
  ),
  base: key(text().optional(), "Another agent whose keys it inherits and then overrides"),
  skill_mode: key(z.enum(["dynamic", "static"]).optional(), "Skills loaded when wanted, or all in the prompt"),
  plugins: key(z.array(namedEntry).optional(), "Lifecycle plugins: names, or tables with `name` and `options`"),
  subagents: key(z.array(namedEntry).optional(), "Sub-agents of its own: names, or tables with `name`"),
  output_wiring: key(
    z.array(z.union([text(), output], { error: "must be names, or tables with `to`" })).optional(),
    "Where the last text of each turn is sent: names, or tables with `to`",
  ),
};

const compactionKeys = {
  enabled: key(z.boolean().default(true), "Whether a long conversation is summarised for the model"),
  threshold: key(z.number().gt(0).max(1).default(0.8), "Share of the window at which it starts"),
  target: key(z.number().gt(0).max(1).default(0.4), "Share of the window that may remain"),
  keep_recent_turns: key(z.int().min(0).default(8), "Turns that are never summarised"),
  cooldown_seconds: key(z.number().min(0).default(30), "Rest between two summaries"),
  model: key(text().optional(), "Model that writes the summary; the agent's own when not written"),
};

const terminationKeys = {
  max_turns: key(z.int().min(0).default(0), "Turns after which it stops; 0 is no limit"),
  max_duration: key(z.number().min(0).default(0), "Seconds after which it stops; 0 is no limit"),
  idle_timeout: key(z.number().min(0).default(0), "Seconds without an event after which it stops; 0 is no limit"),
  keywords: key(names().default([]), "Texts in an answer that stop it"),
  max_tokens: key(z.int().min(0).default(0), "Tokens in all after which it stops; 0 is no limit"),
};

const startupKeys = { prompt: key(text(), "What it is told when it starts") };

/** The section of an agent and all tables under it. Keys in `own` come first. */
export function agentSections(
  name: string,
  about: string,
  own: Keys,
  more: { readonly list?: boolean; readonly optional?: boolean; readonly like?: string } = {},
): readonly SectionRule[] {
  const under = (part: string, what: string, keys: Keys, optional: boolean) =>
    section(`${name}.${part}`, what, keys, {
      optional: optional || more.optional,
      like: more.like === undefined ? undefined : `${more.like}.${part}`,
    });
  const triggers = triggersSection(`${name}.triggers`);
  return [
    section(name, about, { ...own, ...agentKeys }, more),
    under("tools", "What the agent may use, and who decides", agentToolKeys, false),
    under(
      "generation",
      "Generation parameters, merged key by key over `[assistant.generation]`",
      generationKeys,
      false,
    ),
    under("compaction", "When its conversation is summarised for the model", compactionKeys, false),
    under("termination", "When a creature stops by itself", terminationKeys, true),
    under("startup", "What a creature begins with", startupKeys, true),
    { ...triggers, like: more.like === undefined ? undefined : `${more.like}.triggers` },
  ];
}

/** Every table under `[agents.<name>]`. */
export const agents: readonly SectionRule[] = agentSections("agents.<name>", "One agent", {});

/** `[reviewers.<name>]`: models that answer in a person's place, and the planning critics (K section 7). */
export const reviewers: readonly SectionRule[] = [
  section("reviewers.<name>", "A model that judges; `plan` and `result` are the critics of planning", {
    model: key(text().optional(), "Its model string; the default model when not written"),
    thinking: key(thinking().optional(), "Its thinking level; an approval reviewer must not declare one"),
    system_message: key(z.string().optional(), "The standard it judges by; an approval reviewer needs one"),
  }),
  section("reviewers.<name>.generation", "Its own generation parameters; nothing is inherited", generationKeys),
];
