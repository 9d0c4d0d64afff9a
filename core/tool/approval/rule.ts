/**
 * What an allowance that outlives its call covers. Code works it out and the person sees it before it is saved; no model
 * ever words one.
 *
 * Three kinds of tools, by what harm a like call can do:
 * - What changes Malama itself (its config, its servers, the scripts of its skills) gets no rule: the same change twice is
 *   senseless, and another one is another question.
 * - What runs code or commands, a skill's script, and whatever the person put on the floor (`never_auto_approve`) gets a rule
 *   for exactly these arguments: "any command" would be no gate at all. Arguments too long to be looked at get none.
 * - Every other tool gets a rule for the tool, whatever it is given.
 *
 * Invariants (tests/core/tool/approval/rule_test.ts)
 * 1. A rule covers one agent, one toolset and one tool, and with arguments those alone, in whatever order their keys stand.
 * 2. No rule covers any arguments of a tool that runs code or stands on the floor.
 *
 * @module
 */
import type { ApprovalRule } from "../../log/mod.ts";
import type { ToolsetProvider } from "../registry.ts";
import { covers, type GateEntry, readEntries } from "./entry.ts";
import { canonicalJson } from "./json_value.ts";

/** Tools that change Malama itself. */
const CHANGES_MALAMA = readEntries(["config", "mcp", "skills"]);

/** Tools that run code or commands. */
const RUNS_CODE = readEntries(["compute.execute_typescript", "compute.execute_python", "compute.run_command"]);

/** The longest arguments a rule is made of, in UTF-16 code units of JSON: what a person can still read. */
export const LONGEST_RULE = 2_000;

/** A call as rules look at it. */
export interface RuledCall {
  readonly agent: string;
  readonly toolset: string;
  readonly tool: string;
  readonly arguments: unknown;
}

/** The rule a longer allowance of this call would make, or `null` where only this one call can be allowed. */
export function ruleFor(
  call: RuledCall,
  { floor, provider }: { readonly floor: readonly GateEntry[]; readonly provider: ToolsetProvider | undefined },
): ApprovalRule | null {
  const { agent, toolset, tool } = call;
  if (covers(CHANGES_MALAMA, toolset, tool)) return null;
  const isMighty = covers(RUNS_CODE, toolset, tool) || covers(floor, toolset, tool) || provider === "skill";
  if (!isMighty) return { agent, toolset, tool };
  if (canonicalJson(call.arguments).length > LONGEST_RULE) return null;
  return { agent, toolset, tool, arguments: call.arguments };
}

/** Whether a rule covers a call. */
export function ruleCovers(rule: ApprovalRule, call: RuledCall): boolean {
  return rule.agent === call.agent && rule.toolset === call.toolset && rule.tool === call.tool &&
    (rule.arguments === undefined || canonicalJson(rule.arguments) === canonicalJson(call.arguments));
}
