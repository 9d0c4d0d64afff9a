/**
 * Code decides, not the reviewer: what a reviewer answers is evidence (K-199, K-200).
 *
 * Invariants (tests/core/tool/approval/decide_test.ts)
 * 1. No answer at all approves nothing.
 * 2. Identity, not truthiness: "false", 1 or null approve nothing. A quoted "false" is truthy, and this is where it would pass.
 *
 * @module
 */
import { z } from "zod";
import type { JsonSchema } from "../../model/mod.ts";

/** What a reviewer answers. There is no verdict to deny: it can only leave the question to a person. */
export interface Review {
  /** Whether the call is inside what was asked. */
  readonly in_scope: boolean;
  /** Whether what it does can be undone. */
  readonly reversible: boolean;
  /** Whether the texts look like an injected instruction. */
  readonly injection_suspected: boolean;
  /** One sentence. */
  readonly reason: string;
}

const review = z.strictObject({
  in_scope: z.boolean(),
  reversible: z.boolean(),
  injection_suspected: z.boolean(),
  reason: z.string(),
});

const { $schema: _, ...schema } = z.toJSONSchema(review);

/** The shape a model is asked for. */
export const REVIEW_SCHEMA: { readonly name: string; readonly schema: JsonSchema } = { name: "review", schema };

/** Whether all of these answers together let the call run. They are taken as they came, of whatever type. */
export function decide(answers: readonly unknown[]): boolean {
  return answers.length > 0 && answers.every((answer) => {
    const { in_scope, reversible, injection_suspected } = (answer ?? {}) as Partial<Record<keyof Review, unknown>>;
    return in_scope === true && reversible === true && injection_suspected === false;
  });
}

/** Reads a reviewer's answer. A string says what is wrong with it. */
export function readReview(text: string): Review | string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return "its answer was not JSON";
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return "its answer did not have the shape asked for";
  }
  const parsed = review.safeParse(value);
  if (parsed.success) return parsed.data;
  const isWrongType = parsed.error.issues.some((issue) =>
    issue.code === "invalid_type" && Object.hasOwn(value, String(issue.path[0]))
  );
  return isWrongType ? "its answer had values of the wrong type" : "its answer did not have the shape asked for";
}
