/**
 * The policies of all agents in force: which calls are gated, and which of those a reviewer may answer. Entries are held
 * against the name a call has, so a toolset that comes late is gated from its first call on.
 *
 * Invariants (tests/core/tool/approval/policies_test.ts)
 * 1. Asked before the start has resolved it, it throws: not knowing is not allowing (K-187).
 * 2. When a toolset is built whose names show an entry to match nothing, or a reviewed call to stand on the floor or under no
 *    gate, that build fails, and so does every later one (K-184).
 * 3. An entry that has matched once stays matched, whatever later builds name (K-184).
 *
 * @module
 */
import { CORE } from "../toolset.ts";
import { CORE_TOOLS, type GateEntry, readEntries } from "./entry.ts";
import { isGated, isReviewable, type PolicyConfig, policyOf } from "./policy.ts";
import { entryProblem, overlaps } from "./problems.ts";

/** A call came before the start had resolved the gates (K-187). */
export class GatesNotResolved extends Error {
  override readonly name = "GatesNotResolved";
  constructor() {
    super("Malama is still starting and does not know yet which calls need an answer: try again in a moment");
  }
}

/** The names of a toolset that was just built show a gate to be wrong; its agent cannot be built (K-184). */
export class GateConflict extends Error {
  override readonly name = "GateConflict";
  constructor(readonly section: string, readonly problem: string) {
    super(`[${section}]: ${problem}`);
  }
}

/** What holds for one call. */
export interface GateDemand {
  /** Whether it needs an answer. */
  readonly gated: boolean;
  /** Whether a reviewer may give it. */
  readonly reviewable: boolean;
}

/** The gates of one agent, as `GET /api/agents` shows them: `toolset.tool`, and entries whose toolset is not built yet. */
export interface GatesInForce {
  readonly confirm: readonly string[];
  readonly review: readonly string[];
}

export class ApprovalPolicies {
  readonly #config: PolicyConfig;
  readonly #shipped: ReadonlySet<string>;
  /** The tools of every toolset that was built, whichever build named them. */
  readonly #known = new Map<string, readonly string[]>([[CORE, CORE_TOOLS]]);
  /** `never_auto_approve`. */
  readonly floor: readonly GateEntry[];
  #isResolved = false;

  /** `shipped` are entries that may match nothing. */
  constructor(config: PolicyConfig, shipped: readonly string[]) {
    this.#config = config;
    this.#shipped = new Set(shipped);
    this.floor = readEntries(config.security.neverAutoApprove);
  }

  /** Called once when every agent is wired, with the tools of every toolset that is built by then. */
  resolve(tools: ReadonlyMap<string, readonly string[]>): void {
    for (const [toolset, names] of tools) this.#learn(toolset, names);
    this.#isResolved = true;
  }

  /** Takes in the tools of a toolset that was built for an agent. Throws `GateConflict`. */
  built(agent: string, toolset: string, tools: readonly string[]): void {
    // One that has nothing to give now, such as a server that cannot be reached, shows nothing.
    if (tools.length === 0) return;
    this.#learn(toolset, tools);
    const policy = policyOf(this.#config, agent);
    const concerned = [...policy.confirm, ...policy.review].filter((entry) =>
      entry.toolset === toolset && !this.#shipped.has(entry.text)
    );
    for (const entry of concerned) {
      const problem = entryProblem(entry, this.#known, [toolset], agent);
      if (problem !== null) throw new GateConflict(policy.section, problem);
    }
    const reviewed = { ...policy, review: policy.review.filter((entry) => entry.toolset === toolset) };
    const [overlap] = overlaps(reviewed, this.floor, this.#known);
    if (overlap) throw new GateConflict(policy.section, overlap.message);
  }

  /** What holds for a call. Throws `GatesNotResolved`. */
  demand(agent: string, toolset: string, tool: string): GateDemand {
    if (!this.#isResolved) throw new GatesNotResolved();
    const policy = policyOf(this.#config, agent);
    return {
      gated: isGated(policy, toolset, tool),
      reviewable: isReviewable(policy, this.floor, toolset, tool),
    };
  }

  /** The gates of an agent that holds these tools. */
  inForce(agent: string, tools: readonly { readonly toolset: string; readonly name: string }[]): GatesInForce {
    const policy = policyOf(this.#config, agent);
    const waiting = (entries: readonly GateEntry[]) =>
      entries.filter((entry) => !this.#known.has(entry.toolset) && !this.#shipped.has(entry.text))
        .map((entry) => entry.text);
    const named = (fits: (toolset: string, tool: string) => boolean) =>
      tools.filter(({ toolset, name }) => fits(toolset, name)).map(({ toolset, name }) => `${toolset}.${name}`);
    return {
      confirm: [...named((toolset, name) => isGated(policy, toolset, name)), ...waiting(policy.confirm)],
      review: [
        ...named((toolset, name) => isReviewable(policy, this.floor, toolset, name)),
        ...waiting(policy.review),
      ],
    };
  }

  #learn(toolset: string, tools: readonly string[]): void {
    this.#known.set(toolset, [...new Set([...this.#known.get(toolset) ?? [], ...tools])]);
  }
}
