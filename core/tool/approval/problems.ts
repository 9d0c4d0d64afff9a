/**
 * What is wrong with gates, as far as it can be known before anybody is asked (K-182, K-184, K-206). A gate that matches
 * nothing is never accepted silently: each fault is a sentence with what would be right.
 *
 * Two kinds of entries may name what is not there: those Malama ships with, since their toolsets may not be used here; and
 * those of toolsets that are installed later than the config is read. The latter wait (`policies.ts`).
 *
 * Invariants: tests/core/tool/approval/problems_test.ts has one test for each sentence.
 *
 * @module
 */
import { type ConfigProblem, joinSettingName, nearest } from "../../config/mod.ts";
import { CORE } from "../toolset.ts";
import { CORE_TOOLS, covers, type GateEntry, readEntries, readEntry } from "./entry.ts";
import { type ApprovalPolicy, isReviewable, type PolicyConfig, writtenPolicies } from "./policy.ts";

/** What is known of toolsets and agents when gates are checked. */
export interface GateFacts {
  /** The tools of every toolset that is built; `core` need not be in it. */
  readonly tools: ReadonlyMap<string, readonly string[]>;
  /** The toolsets of an agent. */
  readonly heldBy: (agent: string) => readonly string[];
  /** Entries that may match nothing: those Malama ships with. */
  readonly shipped: readonly string[];
}

/** Everything that is wrong with the gates of a config. */
export function gateProblems(config: PolicyConfig, facts: GateFacts): readonly ConfigProblem[] {
  const held = Object.keys(config.agents).flatMap(facts.heldBy);
  const floor = config.security.neverAutoApprove;
  const known = withCore(facts.tools);
  return [
    ...listProblems(config.assistant.tools.confirm, "assistant.tools", "confirm", known, held, facts.shipped),
    ...listProblems(config.assistant.tools.review, "assistant.tools", "review", known, held, facts.shipped),
    ...Object.values(config.agents).flatMap(({ name, tools }) => {
      const section = joinSettingName(["agents", name, "tools"]);
      const own = facts.heldBy(name);
      return [
        ...listProblems(tools.confirm ?? [], section, "confirm", known, own, facts.shipped, name),
        ...listProblems(tools.review ?? [], section, "review", known, own, facts.shipped, name),
      ];
    }),
    ...listProblems(floor, "security", "never_auto_approve", known, [...held, ...known.keys()], facts.shipped),
    ...writtenPolicies(config).flatMap((policy) => overlaps(policy, readEntries(floor), known)),
  ];
}

function listProblems(
  texts: readonly string[],
  section: string,
  key: string,
  known: ReadonlyMap<string, readonly string[]>,
  held: readonly string[],
  shipped: readonly string[],
  agent?: string,
): readonly ConfigProblem[] {
  return texts.flatMap((text) => {
    if (shipped.includes(text)) return [];
    const entry = readEntry(text);
    const message = typeof entry === "string" ? entry : entryProblem(entry, known, held, agent);
    return message === null ? [] : [{ message, section, key }];
  });
}

/** Why an entry matches nothing; `null` when it matches, or its toolset is not built yet. */
export function entryProblem(
  { text, toolset, tool }: GateEntry,
  known: ReadonlyMap<string, readonly string[]>,
  held: readonly string[],
  agent?: string,
): string | null {
  const tools = known.get(toolset);
  const home = (name: string) => [...known].find(([, names]) => names.includes(name))?.[0];
  if (toolset !== CORE && !held.includes(toolset)) {
    const bare = tool === null ? home(toolset) : undefined;
    if (bare !== undefined) return `"${toolset}" is a tool, not a toolset: write "${bare}.${toolset}"`;
    const right = tool === null ? undefined : home(tool);
    if (right !== undefined && right !== toolset) return wrongToolset(text, tool ?? "", toolset, right);
    const near = nearest(toolset, [...held, CORE]);
    const hint = near === undefined ? "" : `: did you mean "${tool === null ? near : `${near}.${tool}`}"?`;
    if (hint) return `"${text}" names no toolset that ${agent ?? "an agent"} has${hint}`;
    const where = agent === undefined ? "no agent has it" : `${agent} does not have it`;
    return `"${text}" matches nothing: ${where}. Add "${toolset}" to the agent's available list, or delete the entry`;
  }
  if (tools === undefined) return null;
  if (tools.length === 0) return `"${text}" matches nothing: ${toolset} has no tools. Delete the entry`;
  if (tool === null || tools.includes(tool)) return null;
  const right = home(tool);
  if (right !== undefined) return wrongToolset(text, tool, toolset, right);
  const near = nearest(tool, tools);
  const hint = near === undefined ? `: its tools are ${tools.join(", ")}` : `: did you mean "${toolset}.${near}"?`;
  return `"${text}" names no tool of ${toolset}${hint}`;
}

function wrongToolset(text: string, tool: string, toolset: string, right: string): string {
  return `"${text}" matches nothing: ${tool} is not in ${toolset} but in ${right}. Write "${right}.${tool}"`;
}

/**
 * Calls that a reviewer may answer and no gate covers, or that stand on the floor. With names only partly known: what the
 * texts make certain; a toolset's own names say the rest when it is built.
 */
export function overlaps(
  policy: ApprovalPolicy,
  floor: readonly GateEntry[],
  known: ReadonlyMap<string, readonly string[]>,
): readonly ConfigProblem[] {
  return policy.review.flatMap((entry) => {
    const message = overlap(policy, entry, floor, known.get(entry.toolset));
    return message === null ? [] : [{ message, section: policy.section, key: "review" }];
  });
}

function overlap(
  policy: ApprovalPolicy,
  { text, toolset, tool }: GateEntry,
  floor: readonly GateEntry[],
  built: readonly string[] | undefined,
): string | null {
  const names = tool !== null ? [tool] : built ?? namedIn([...floor, ...policy.confirm], toolset);
  const open = names.find((name) => !covers(policy.confirm, toolset, name));
  if (open !== undefined) {
    return `"${text}" lets a reviewer answer for ${toolset}.${open}, which no gate covers: add "${toolset}.${open}" to confirm`;
  }
  if (names.length === 0 && !policy.confirm.some((gate) => gate.toolset === toolset)) {
    return `"${text}" lets a reviewer answer for ${toolset}, which no gate covers: add "${toolset}" to confirm`;
  }
  const grounded = names.find((name) => !isReviewable(policy, floor, toolset, name)) ??
    (floor.some((each) => each.toolset === toolset && each.tool === null) ? "*" : undefined);
  return grounded === undefined
    ? null
    : `"${text}" lets a reviewer answer for ${toolset}.${grounded}, which [security].never_auto_approve keeps for a ` +
      `person: take it out of one of the two`;
}

/** The tools of a toolset that entries name. */
function namedIn(entries: readonly GateEntry[], toolset: string): readonly string[] {
  return entries.flatMap((entry) => entry.toolset === toolset && entry.tool !== null ? [entry.tool] : []);
}

/** The loop's own tools are there, whoever holds them. */
export function withCore(tools: ReadonlyMap<string, readonly string[]>): ReadonlyMap<string, readonly string[]> {
  return new Map([...tools, [CORE, [...new Set([...CORE_TOOLS, ...tools.get(CORE) ?? []])]]]);
}
