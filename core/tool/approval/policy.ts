/**
 * Each agent's approval policy: its own `confirm`/`review` pair, or the default pair whole (K-183).
 *
 * Invariants (tests/core/tool/approval/policy_test.ts)
 * 1. An agent that writes either list has that pair alone; the other list is then empty, never the default's.
 * 2. A composed worker, and any name no table declares, has the default pair.
 * 3. What stands on the floor is never reviewed, whatever the lists say.
 *
 * @module
 */
import { type Config, joinSettingName } from "../../config/mod.ts";
import { covers, type GateEntry, readEntries } from "./entry.ts";

/** The policy of one agent, with the place it was written. */
export interface ApprovalPolicy {
  /** The section its lists stand in: `agents.researcher.tools`, or `assistant.tools`. */
  readonly section: string;
  readonly confirm: readonly GateEntry[];
  readonly review: readonly GateEntry[];
}

/** What policies are read from. */
export type PolicyConfig = Pick<Config, "agents" | "assistant" | "security">;

/** The label of a composed worker's policy (K-183). */
export function composedLabel(name: string): string {
  return `composed:${name}`;
}

/** The default pair. */
function defaultPolicy(config: PolicyConfig): ApprovalPolicy {
  const { confirm, review } = config.assistant.tools;
  return { section: "assistant.tools", confirm: readEntries(confirm), review: readEntries(review) };
}

/** The policy of an agent's own table; `null` when it inherits the default pair. */
function ownPolicy(config: PolicyConfig, agent: string): ApprovalPolicy | null {
  const tools = Object.hasOwn(config.agents, agent) ? config.agents[agent]?.tools : undefined;
  if (!tools || tools.confirm === undefined && tools.review === undefined) return null;
  return {
    section: joinSettingName(["agents", agent, "tools"]),
    confirm: readEntries(tools.confirm ?? []),
    review: readEntries(tools.review ?? []),
  };
}

/** The policy that holds for a label: an agent's name, or `composed:<name>`. */
export function policyOf(config: PolicyConfig, label: string): ApprovalPolicy {
  return ownPolicy(config, label) ?? defaultPolicy(config);
}

/** Every pair that is written, the default one first. */
export function writtenPolicies(config: PolicyConfig): readonly ApprovalPolicy[] {
  return [defaultPolicy(config), ...Object.keys(config.agents).flatMap((name) => ownPolicy(config, name) ?? [])];
}

/** Whether a call needs an answer. */
export function isGated({ confirm }: ApprovalPolicy, toolset: string, tool: string): boolean {
  return covers(confirm, toolset, tool);
}

/** Whether a reviewer may give it. `floor` is `never_auto_approve`. */
export function isReviewable(
  policy: ApprovalPolicy,
  floor: readonly GateEntry[],
  toolset: string,
  tool: string,
): boolean {
  return isGated(policy, toolset, tool) && covers(policy.review, toolset, tool) && !covers(floor, toolset, tool);
}
