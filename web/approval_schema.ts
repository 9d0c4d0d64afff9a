/**
 * Approvals on the wire: questions, answers, and the rules they leave behind.
 *
 * @module
 */
import { z } from "zod";
import { instant, named } from "./schema.ts";

const scope = z.enum(["once", "turn", "conversation", "always"]);

const ruleFields = {
  agent: z.string().describe("The agent's name, or `composed:<name>`"),
  toolset: z.string(),
  tool: z.string(),
  arguments: z.unknown().optional().describe("These arguments alone; absent: whatever it is given"),
};

const approvalFields = {
  conversation: z.string(),
  title: z.string().describe("The conversation's"),
  seq: z.number().int().describe("Of the question's own entry"),
  turn: z.string(),
  run: z.string().nullable().describe("The sub-agent's run that asks"),
  entry: z.number().int().describe("`seq` of the call's entry"),
  agent: z.string(),
  toolset: z.string().optional(),
  tool: z.string(),
  arguments: z.unknown(),
  permissions: z.record(z.string(), z.array(z.string())).optional().describe("What the code behind it may reach"),
  cause: z.literal("outside").optional()
    .describe("No gate covers it: the turn has read what others wrote, and this would be remembered"),
  rule: z.object(ruleFields).optional()
    .describe("What a longer allowance would cover; absent where only this one call can be allowed"),
  verdicts: z.array(
    z.object({ reviewer: z.string(), model: z.string(), approved: z.boolean(), reason: z.string() }),
  ).optional().describe("What reviewers said before a person was asked"),
  about: z.string().describe("What the tool says it does"),
  at: instant,
  expires_at: instant.optional().describe("When it is denied if nobody answers"),
};

/** A decision that waits. */
export const approval = named("Approval", z.object(approvalFields));

/** A decision that was made. */
export const decidedApproval = named(
  "DecidedApproval",
  z.object({
    ...approvalFields,
    decision: z.enum(["allow", "deny"]),
    scope: scope.optional(),
    by: z.enum(["person", "reviewer", "policy", "timeout", "restart"]),
    reason: z.string().optional(),
    changed: z.unknown().optional().describe("What it was run with, where the arguments were changed"),
  }),
);

/** What a person says to a question. */
export const approvalAnswer = named(
  "ApprovalAnswer",
  z.object({
    decision: z.enum(["allow", "deny"]),
    scope: scope.optional().describe("Of an allowance; once if absent. Longer only where the question has a `rule`"),
    reason: z.string().max(2_000).optional().describe("The model reads it"),
    arguments: z.unknown().optional().describe("Of an allowance: other arguments than the model gave"),
  }),
);

/** Which rules are listed. */
export const ruleQuery = z.object({
  conversation: z.string().optional().describe("Those of this conversation alone; absent: those that hold everywhere"),
});

/** A rule that is kept. */
export const approvalRule = named(
  "ApprovalRule",
  z.object({
    id: z.string(),
    ...ruleFields,
    conversation: z.string().nullable().describe("null: it holds everywhere"),
    created_at: instant,
  }),
);
