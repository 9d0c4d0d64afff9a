/**
 * Every toolset there is, under one namespace, and how an agent's tools are put together from them.
 *
 * Invariants
 * 1. A name belongs to one provider: a second one that claims it is refused (K-163; tests/core/tool/registry_test.ts).
 * 2. `select` drops nothing silently: an unknown name throws (K-175; same file).
 * 3. Of two tools with one name the first is held, and the other is reported (K-165; same file).
 *
 * @module
 */
import type { Tool } from "./tool.ts";
import type { Use } from "./services.ts";
import { type AgentFacts, BadToolset, type Toolset, type ToolsetContext } from "./toolset.ts";
import { UnknownToolset } from "./unknown_toolset.ts";

/** Where a toolset comes from, in the order they are trusted (K-174). */
export const TOOLSET_PROVIDERS = ["built-in", "plugin", "skill", "mcp"] as const;

/** One of `TOOLSET_PROVIDERS`. */
export type ToolsetProvider = typeof TOOLSET_PROVIDERS[number];

/** A toolset with where it came from. */
export interface RegisteredToolset {
  readonly toolset: Toolset;
  readonly provider: ToolsetProvider;
}

/** A tool an agent holds, with the name of the toolset it came with. */
export interface ToolOfToolset {
  readonly tool: Tool;
  readonly toolset: string;
}

/** A tool that is not held because another of its name came first. */
export interface HiddenTool {
  readonly tool: string;
  readonly toolset: string;
  /** The toolset whose tool is held. */
  readonly holder: string;
}

/** What toolsets are built with; the settings of each are looked up by its name. */
export interface BuildContext {
  readonly settings: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly now: () => Date;
  readonly agent: AgentFacts;
  readonly use: Use;
}

/** The toolsets that are installed. */
export class ToolsetRegistry {
  readonly #registered = new Map<string, RegisteredToolset>();

  /** Adds a toolset. Throws `BadToolset` when its name is taken. */
  register(toolset: Toolset, provider: ToolsetProvider): void {
    const holder = this.#registered.get(toolset.name);
    if (holder !== undefined) {
      throw new BadToolset(
        `Two toolsets are named "${toolset.name}", one ${holder.provider} and one ${provider}: rename or remove one of them`,
      );
    }
    this.#registered.set(toolset.name, { toolset, provider });
  }

  /** All of them, in trust order and within it as they were registered. */
  all(): readonly RegisteredToolset[] {
    const entries = [...this.#registered.values()];
    return TOOLSET_PROVIDERS.flatMap((provider) => entries.filter((entry) => entry.provider === provider));
  }

  /**
   * An agent's toolsets: those it names, in its order and each once, or with `"all"` every one in trust order (K-174). Throws
   * `UnknownToolset`.
   */
  select(names: readonly string[] | "all"): readonly Toolset[] {
    if (names === "all") return this.all().map((entry) => entry.toolset);
    return [...new Set(names)].map((name) => {
      const entry = this.#registered.get(name);
      if (entry === undefined) throw new UnknownToolset(name, this.all().map((each) => each.toolset.name));
      return entry.toolset;
    });
  }

  /**
   * The tools of some toolsets, in their order; of a repeated name the first is held and the rest are reported. Throws
   * `BadToolset` when a toolset's settings do not fit it.
   */
  build(
    selection: readonly Toolset[],
    context: BuildContext,
  ): { readonly tools: readonly ToolOfToolset[]; readonly hidden: readonly HiddenTool[] } {
    const held = new Map<string, ToolOfToolset>();
    const hidden: HiddenTool[] = [];
    for (const toolset of selection) {
      for (const tool of toolset.tools(contextFor(toolset, context))) {
        const holder = held.get(tool.spec.name);
        if (holder === undefined) held.set(tool.spec.name, { tool, toolset: toolset.name });
        else hidden.push({ tool: tool.spec.name, toolset: toolset.name, holder: holder.toolset });
      }
    }
    return { tools: [...held.values()], hidden };
  }
}

/** A toolset's own settings, with defaults. Keys it does not know were for the config to refuse, and do not reach it. */
function contextFor(toolset: Toolset, context: BuildContext): ToolsetContext {
  const given = Object.entries(context.settings[toolset.name] ?? {});
  const known = Object.fromEntries(given.filter(([key]) => Object.hasOwn(toolset.settings.shape, key)));
  const settings = toolset.settings.safeParse(known);
  if (!settings.success) {
    const issue = settings.error.issues[0];
    const place = [toolset.name, ...(issue?.path ?? [])].join(".");
    throw new BadToolset(`The setting ${place} does not fit: ${issue?.message ?? "it could not be read"}`);
  }
  return { settings: settings.data, now: context.now, agent: context.agent, use: context.use };
}
