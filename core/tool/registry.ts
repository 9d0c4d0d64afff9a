/**
 * Every toolset there is, under one namespace, and how an agent's tools are put together from them.
 *
 * Invariants
 * 1. A name belongs to one provider: a second one that claims it is refused (K-163; tests/core/tool/registry_test.ts).
 * 2. `select` drops nothing silently: an unknown name throws, and so does one that is for the entry agent alone (K-175; same
 *    file).
 * 3. Of two tools with one name the first is held, and the other is reported (K-165; same file).
 * 4. A toolset is built once for the same settings, agent and services, and again for others (same file).
 * 5. A watcher that throws ends the build, every time (K-184; same file).
 * 6. The toolset of the loop itself is in no list: nobody can declare it, and no other can take its name (K-163; same file).
 *
 * @module
 */
import type { Tool } from "./tool.ts";
import { EntryOnlyToolset } from "./entry_only_toolset.ts";
import { type FindService, serviceKey } from "./services.ts";
import {
  type AgentFacts,
  BadToolset,
  CORE,
  type Toolset,
  type ToolsetContext,
  type ToolsetPermissions,
} from "./toolset.ts";
import { UnknownToolset } from "./unknown_toolset.ts";

/** Where a toolset comes from, in the order they are trusted (K-174). */
export const TOOLSET_PROVIDERS = ["built-in", "plugin", "skill", "mcp"] as const;

/** One of `TOOLSET_PROVIDERS`. */
export type ToolsetProvider = typeof TOOLSET_PROVIDERS[number];

/** A toolset with where it came from. */
export interface RegisteredToolset {
  readonly toolset: Toolset;
  readonly provider: ToolsetProvider;
  /** What its code may reach: of ours what it asks for, of a third party's what the person granted. */
  readonly granted: ToolsetPermissions;
  /** Why it cannot be used, a sentence; `null` when it can. */
  readonly problem: string | null;
  /** Where a third party's was fetched from; `null` for ours. */
  readonly from: string | null;
}

/** What else is known of a toolset that is registered; what is absent is as for one of ours. */
export type Registration = Partial<Pick<RegisteredToolset, "granted" | "problem" | "from">>;

/** One line of the catalogue. */
export interface CatalogEntry {
  readonly name: string;
  readonly provider: ToolsetProvider;
  readonly description: string;
  readonly entryOnly: boolean;
}

/** Every toolset that is installed, without building any. */
export interface Catalog {
  entries(): readonly CatalogEntry[];
}

/** The catalogue of the house. */
export const CATALOG = serviceKey<Catalog>("catalog");

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
  readonly service: FindService;
  /** The tools are only looked at, and belong to no agent that runs: who watches builds is not told. */
  readonly preview?: boolean;
}

/** Told of a toolset that was built for an agent, with the names of its tools. What it throws, the build throws. */
export type BuildWatcher = (agent: string, toolset: string, tools: readonly string[]) => void;

/** How many different builds of one toolset are kept. */
const MOST_BUILDS = 64;

/** What a toolset gave, by the facts it was built for; other functions begin anew. */
interface Builds {
  readonly now: () => Date;
  readonly service: FindService;
  readonly byFacts: Map<string, readonly Tool[]>;
}

/** The toolsets that are installed. */
export class ToolsetRegistry implements Catalog {
  readonly #registered = new Map<string, RegisteredToolset>();
  readonly #watchers: BuildWatcher[] = [];
  readonly #builds = new WeakMap<Toolset, Builds>();
  #core: Toolset | undefined;

  /** Calls `watcher` for every build from now on that is no preview (K-184). */
  watchBuilds(watcher: BuildWatcher): void {
    this.#watchers.push(watcher);
  }

  /** The toolset of the loop itself, if it was registered. */
  get core(): Toolset | undefined {
    return this.#core;
  }

  /** Adds a toolset. Throws `BadToolset` when its name is taken. */
  register(
    toolset: Toolset,
    provider: ToolsetProvider,
    { granted = toolset.permissions, problem = null, from = null }: Registration = {},
  ): void {
    if (toolset.name === CORE) {
      if (provider !== "built-in" || this.#core !== undefined) {
        throw new BadToolset(`"${CORE}" is the name of the toolset of the loop itself: rename the ${provider} one`);
      }
      this.#core = toolset;
      return;
    }
    const holder = this.#registered.get(toolset.name);
    if (holder !== undefined) {
      throw new BadToolset(
        `Two toolsets are named "${toolset.name}", one ${holder.provider} and one ${provider}: rename or remove one of them`,
      );
    }
    this.#registered.set(toolset.name, { toolset, provider, granted, problem, from });
  }

  /** The toolset of that name, or `undefined`. */
  find(name: string): RegisteredToolset | undefined {
    return this.#registered.get(name);
  }

  /** @inheritdoc */
  entries(): readonly CatalogEntry[] {
    return this.all().map(({ provider, toolset: { name, description, entryOnly } }) => ({
      name,
      provider,
      description,
      entryOnly,
    }));
  }

  /** All of them, in trust order and within it as they were registered. */
  all(): readonly RegisteredToolset[] {
    const entries = [...this.#registered.values()];
    return TOOLSET_PROVIDERS.flatMap((provider) => entries.filter((entry) => entry.provider === provider));
  }

  /**
   * An agent's toolsets: those it names, in its order and each once, or with `"all"` every one in trust order (K-174), without
   * those for the entry agent where it is another one. Throws `UnknownToolset` and `EntryOnlyToolset`.
   */
  select(
    names: readonly string[] | "all",
    { isEntry }: { readonly isEntry: boolean } = { isEntry: true },
  ): readonly Toolset[] {
    if (names === "all") {
      return this.all().map((entry) => entry.toolset).filter((toolset) => isEntry || !toolset.entryOnly);
    }
    return [...new Set(names)].map((name) => {
      const entry = this.#registered.get(name);
      if (entry === undefined) throw new UnknownToolset(name, this.all().map((each) => each.toolset.name));
      if (entry.toolset.entryOnly && !isEntry) throw new EntryOnlyToolset(name);
      return entry.toolset;
    });
  }

  /** What `select` gives, in two halves: in hand from the first turn, and to be loaded; all in hand without a list (K-177). */
  split(
    names: readonly string[] | "all",
    resident: readonly string[] | undefined,
    who: { readonly isEntry: boolean },
  ): { readonly resident: readonly Toolset[]; readonly deferred: readonly Toolset[] } {
    const selected = this.select(names, who);
    const inHand = ({ name }: Toolset) => resident === undefined || resident.includes(name);
    return {
      resident: selected.filter(inHand),
      deferred: selected.filter((toolset) => !inHand(toolset)),
    };
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
      const tools = this.#toolsOf(toolset, contextFor(toolset, context));
      if (!context.preview) this.#tell(context.agent.name, toolset.name, tools);
      for (const tool of tools) {
        const holder = held.get(tool.spec.name);
        if (holder === undefined) held.set(tool.spec.name, { tool, toolset: toolset.name });
        else hidden.push({ tool: tool.spec.name, toolset: toolset.name, holder: holder.toolset });
      }
    }
    return { tools: [...held.values()], hidden };
  }

  /** Tools are closures that hold nothing (K-164): for the same settings and facts they are made once, not in every turn. */
  #toolsOf(toolset: Toolset, context: ToolsetContext): readonly Tool[] {
    const { now, service, settings, agent } = context;
    const before = this.#builds.get(toolset);
    const builds = before?.now === now && before.service === service ? before : { now, service, byFacts: new Map() };
    if (builds !== before || builds.byFacts.size >= MOST_BUILDS) builds.byFacts.clear();
    this.#builds.set(toolset, builds);
    const facts = JSON.stringify([settings, agent]);
    const tools = builds.byFacts.get(facts) ?? toolset.tools(context);
    builds.byFacts.set(facts, tools);
    return tools;
  }

  #tell(agent: string, toolset: string, tools: readonly Tool[]): void {
    for (const watcher of this.#watchers) watcher(agent, toolset, tools.map(({ spec }) => spec.name));
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
  return { settings: settings.data, now: context.now, agent: context.agent, service: context.service };
}
