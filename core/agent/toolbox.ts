/**
 * The tools in an agent's hands: those it holds from the start, and those it loads while it runs.
 *
 * Invariants (tests/core/agent/toolbox_test.ts)
 * 1. A tool that is held stays: a load only adds behind it, so a request stays a prefix of the next one.
 * 2. Of two tools of one name the one in hand stays, and the newcomer is named with its holder (K-155, K-165).
 * 3. A load that fails leaves everything as it was, and can be tried again (K-155).
 * 4. An agent that is built again gets back what its log says it loaded, in that order, behind what it holds from the start
 *    (K-179).
 *
 * @module
 */
import { errorText } from "../log/mod.ts";
import {
  type BuildContext,
  type HiddenTool,
  serviceKey,
  type ToolOfToolset,
  type Toolset,
  type ToolsetRegistry,
} from "../tool/mod.ts";

/** A toolset an agent may use, held or not. */
export interface OfferedToolset {
  readonly name: string;
  readonly description: string;
  readonly isHeld: boolean;
  /** Entries of the agent's gate list that name it or one of its tools. */
  readonly gated: readonly string[];
}

/** What became of a load. */
export type LoadOutcome =
  | {
    readonly status: "loaded";
    readonly name: string;
    readonly tools: readonly string[];
    readonly guidance: string | undefined;
    readonly hidden: readonly HiddenTool[];
  }
  | { readonly status: "held"; readonly name: string }
  | { readonly status: "unknown"; readonly name: string; readonly loadable: readonly string[] }
  | { readonly status: "failed"; readonly name: string; readonly reason: string };

/** Loads toolsets into the hands of the agent that runs. */
export interface Loading {
  /** Every toolset the agent may use: what it holds, then what it may load, each in the order they are declared. */
  offered(): readonly OfferedToolset[];
  /** Loads a toolset. */
  load(name: string): LoadOutcome;
}

/** The toolbox of the run that calls. */
export const LOADING = serviceKey<Loading>("loading");

/** How the result of a load begins that succeeded; the log is read by it (K-155, K-179). */
export function loadedOpening(name: string): string {
  return `Loaded '${name}':`;
}

/** What a toolbox is filled from. */
export interface ToolboxContents {
  readonly registry: ToolsetRegistry;
  readonly context: BuildContext;
  readonly resident: readonly Toolset[];
  readonly deferred: readonly Toolset[];
  /** What the log says was loaded, in that order. */
  readonly loaded: readonly string[];
  /** Gate entries of the agent, as declared. */
  readonly gates: readonly string[];
  /** Told when a toolset that was loaded before cannot be given back. */
  readonly onLost: (name: string, reason: string) => void;
}

export class Toolbox implements Loading {
  readonly #contents: ToolboxContents;
  readonly #held = new Map<string, ToolOfToolset>();
  readonly #loaded: Toolset[] = [];
  #tools: readonly ToolOfToolset[] = [];
  /** Tools from the start that another one of their name keeps out of reach (K-165). */
  readonly hidden: readonly HiddenTool[];

  constructor(contents: ToolboxContents) {
    this.#contents = contents;
    const { registry, resident, loaded, onLost } = contents;
    this.hidden = this.#add([...resident, ...registry.core ? [registry.core] : []]);
    for (const name of loaded) {
      const outcome = this.load(name);
      if (outcome.status === "failed") onLost(name, outcome.reason);
    }
  }

  /** What is held, in the order it came. The list is a new one after a load. */
  get tools(): readonly ToolOfToolset[] {
    return this.#tools;
  }

  /** What was loaded, in that order. */
  get loaded(): readonly string[] {
    return this.#loaded.map(({ name }) => name);
  }

  /** What can still be loaded, as declared. */
  get loadable(): readonly string[] {
    return this.#contents.deferred.filter((toolset) => !this.#loaded.includes(toolset)).map(({ name }) => name);
  }

  /** @inheritdoc */
  offered(): readonly OfferedToolset[] {
    const { resident, deferred, gates } = this.#contents;
    return [...resident, ...deferred].map((toolset) => ({
      name: toolset.name,
      description: toolset.description,
      isHeld: resident.includes(toolset) || this.#loaded.includes(toolset),
      gated: gates.filter((entry) => entry.split(".")[0] === toolset.name),
    }));
  }

  /** @inheritdoc */
  load(name: string): LoadOutcome {
    const { resident, deferred } = this.#contents;
    const toolset = deferred.find((each) => each.name === name);
    if (!toolset) {
      if (resident.some((each) => each.name === name)) return { status: "held", name };
      return { status: "unknown", name, loadable: this.loadable };
    }
    if (this.#loaded.includes(toolset)) return { status: "held", name };
    try {
      const before = this.#held.size;
      const hidden = this.#add([toolset]);
      this.#loaded.push(toolset);
      const tools = this.#tools.slice(before).map(({ tool }) => tool.spec.name);
      return { status: "loaded", name, tools, guidance: toolset.guidance, hidden };
    } catch (error) {
      return { status: "failed", name, reason: errorText(error) };
    }
  }

  /** Builds all of them before it takes any in; gives those that another tool keeps out. */
  #add(toolsets: readonly Toolset[]): readonly HiddenTool[] {
    const { registry, context } = this.#contents;
    const built = registry.build(toolsets, context);
    const hidden = [...built.hidden];
    for (const each of built.tools) {
      const tool = each.tool.spec.name;
      const holder = this.#held.get(tool);
      if (holder === undefined) this.#held.set(tool, each);
      else hidden.push({ tool, toolset: each.toolset, holder: holder.toolset });
    }
    this.#tools = [...this.#held.values()];
    return hidden;
  }
}
