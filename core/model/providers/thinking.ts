/**
 * What a thinking request comes to for a model (K-327, K-141).
 *
 * @module
 */
import type { ModelRequest } from "../contract.ts";
import type { Target } from "./codec.ts";

/** `word` is what the model calls that level; absent for "as much as it likes". */
export type ThinkingPlan =
  | { readonly mode: "unset" }
  | { readonly mode: "off"; readonly word?: string }
  | { readonly mode: "on"; readonly level?: Level; readonly word?: string };

type Level = "low" | "medium" | "high";

const UNSET: ThinkingPlan = { mode: "unset" };

/**
 * The plan: `false` asks for none, `true` for the model's own effort, a level for that one, and nothing for nothing. The
 * string's `;effort=` stands in when nobody asked. A request for structured output is made without thinking where the model
 * can go without (K-141). What the model cannot do is said once and left out.
 */
export function planThinking(request: ModelRequest, target: Target): ThinkingPlan {
  const { info, quirks, warn } = target;
  const asked = request.schema !== undefined ? false : request.thinking ?? effortFlag(target);
  if (asked === undefined) return UNSET;
  if (!info.thinking) {
    if (asked !== false) {
      warn(`${info.string} is not known to think, so it is not asked to; if it can, add ;thinking to its string`);
    }
    return UNSET;
  }
  if (asked === false) return planOff(request, target);
  if (asked === true) return { mode: "on" };
  const word = quirks.levels?.[asked];
  if (word === null) {
    warn(`${info.string} has no thinking level "${asked}", so it chooses its own; use thinking = true to say so`);
    return { mode: "on" };
  }
  return { mode: "on", level: asked, word: word ?? asked };
}

function planOff(request: ModelRequest, { info, quirks, warn }: Target): ThinkingPlan {
  const word = quirks.levels?.off;
  if (word !== null) return word === undefined ? { mode: "off" } : { mode: "off", word };
  if (request.schema === undefined) {
    warn(`${info.string} cannot stop thinking, so it thinks all the same; choose another model to go without`);
  }
  return UNSET;
}

function effortFlag({ model }: Target): Level | undefined {
  const value = model.flags.effort;
  return value === "low" || value === "medium" || value === "high" ? value : undefined;
}

/** Tokens for models that are given a budget (K-327); `true` gets the middle one. */
export function thinkingBudget(level: Level | undefined): number {
  switch (level) {
    case "low":
      return 2048;
    case "medium":
    case undefined:
      return 8000;
    case "high":
      return 16_000;
    default:
      return level satisfies never;
  }
}
