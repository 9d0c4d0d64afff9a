/**
 * As much of a config as policies read.
 *
 * @module
 */
import type { PolicyConfig } from "../../../../core/tool/mod.ts";

/** A pair of lists; what is absent was not written. */
export interface Pair {
  readonly available?: readonly string[] | "all";
  readonly confirm?: readonly string[];
  readonly review?: readonly string[];
}

/** The default pair, the agents, and the floor. */
export function policyConfig(
  pair: Pair,
  agents: Readonly<Record<string, Pair>> = { assistant: {} },
  floor: readonly string[] = [],
): PolicyConfig {
  return {
    assistant: { tools: { confirm: pair.confirm ?? [], review: pair.review ?? [] } },
    agents: Object.fromEntries(
      Object.entries(agents).map(([name, tools]) => [name, { name, tools: { available: [], ...tools } }]),
    ),
    security: { neverAutoApprove: floor },
  } as unknown as PolicyConfig;
}
