/**
 * The composition root: builds every room below and owns nothing else.
 *
 * It comes up in two halves (K-006, K-007): `createAssistant` opens the store and checks the tables, without network; then
 * `started` resolves once the default model is known, what a crash left open is closed, and waiting messages run again.
 *
 * Invariants (tests/core/assistant_test.ts)
 * 1. A bad agent table fails before anything is written or connected, naming the table (K-009).
 * 2. Closing ends every turn as interrupted, then the store (K-008).
 * 3. Deleted conversations go for good while it runs, not only at a start.
 *
 * @module
 */
import type { AgentDeclaration, Config, ConfigProblem } from "./config/mod.ts";
import { openStorage, type Storage } from "./storage/mod.ts";
import { errorText, Feed, idSource, Log, type LogReader, type Thinking } from "./log/mod.ts";
import {
  BadModelString,
  costOf,
  createModelClient,
  describeModel,
  listModels,
  LocalModelCache,
  type ModelClient,
  type ModelInfo,
  type ModelSummary,
  parseModelString,
  type ProviderOptions,
  resolveDefaultModel,
} from "./model/mod.ts";
import { Services, type Toolset, type ToolsetProvider, ToolsetRegistry, UnknownToolset } from "./tool/mod.ts";
import { DOCUMENTS, type DocumentStore, embeddingProblem, MEMORY, type MemoryStore, openMemory } from "./memory/mod.ts";
import { BadAllowEntry, createEgress, EGRESS, LOOKUP, lookupOf } from "./egress/mod.ts";
import { agentFacts, type AgentSource, modelStringFor } from "./agent/mod.ts";
import {
  type Book,
  ConversationBook,
  type Every,
  Housekeeping,
  Importer,
  type Imports,
  type SearchHit,
  searchText,
  Titler,
  type Titles,
} from "./conversation/mod.ts";
import {
  describeDiagnostics,
  type Diagnostics,
  reportUsage,
  TurnRunner,
  type Turns,
  type UsageReport,
} from "./turn/mod.ts";

/** One declared agent, as `GET /api/agents` and `malama agents` show it. */
export interface AgentSummary {
  readonly name: string;
  readonly description: string;
  readonly entry: boolean;
  readonly model: string;
  readonly thinking: Thinking | null;
  readonly max_iterations: number;
  readonly delegates_to: readonly string[];
  readonly toolsets: readonly { readonly name: string; readonly resident: boolean }[];
  readonly tools: readonly { readonly name: string; readonly toolset: string; readonly description: string }[];
}

/** One installed toolset, as `GET /api/toolsets` shows it. */
export interface ToolsetSummary {
  readonly name: string;
  readonly provider: ToolsetProvider;
  readonly description: string;
  readonly permissions: Readonly<Record<string, readonly string[]>>;
  readonly tools: readonly { readonly name: string; readonly description: string }[];
}

/** Where the default model came from. */
export interface DefaultModel {
  readonly string: string;
  readonly source: "flag" | "config" | "environment" | "local" | "demo";
  readonly info: ModelInfo;
}

export type { SearchHit } from "./conversation/mod.ts";
export type { ModelSummary } from "./model/mod.ts";
export type { Diagnostics, UsageReport, UsageRow } from "./turn/mod.ts";

export interface Assistant {
  readonly version: string;
  readonly config: Config;
  readonly storage: Storage;
  readonly feed: Feed;
  readonly log: LogReader;
  readonly conversations: Book;
  readonly imports: Imports;
  readonly titles: Titles;
  readonly turns: Turns;
  readonly memories: MemoryStore;
  readonly documents: DocumentStore;
  /** True once the model is resolved and the tools are built. */
  readonly ready: boolean;
  /** Resolves when `ready` becomes true; rejects when the start failed. */
  readonly started: Promise<void>;
  readonly defaultModel: DefaultModel;
  agents(): readonly AgentSummary[];
  toolsets(): readonly ToolsetSummary[];
  /** Those of `all` providers, or of those that have a key or are in use. Waits a second for local servers at most. */
  models(options?: { readonly all?: boolean }): Promise<readonly ModelSummary[]>;
  /** Where words were said, the best match first (K-074). */
  search(words: string, options?: { readonly limit?: number }): Promise<readonly SearchHit[]>;
  diagnostics(): Diagnostics;
  /** What was used in the last `days` (all if absent), days as they begin in `zone` (the machine's if absent). */
  usage(options?: { readonly days?: number; readonly zone?: string }): Promise<UsageReport>;
  /** Stops and records every running turn, then closes the store. */
  close(): Promise<void>;
}

/** Told one line per event worth keeping (K-310). */
export type Report = (level: "DEBUG" | "INFO" | "WARNING" | "ERROR", subsystem: string, message: string) => void;

export interface AssistantOptions {
  readonly config: Config;
  readonly version: string;
  readonly toolsets: readonly Toolset[];
  /** Reads an environment variable. */
  readonly env: (name: string) => string | undefined;
  /** `--model`: goes before the file. */
  readonly model?: string;
  /** `--system`: the entry agent's opener. */
  readonly system?: string;
  readonly report?: Report;
  readonly now?: () => Date;
  /** Calls housekeeping every ten minutes; a timer if absent. */
  readonly every?: Every;
  readonly fetch?: typeof fetch;
  /** How providers are spoken to; tests shorten the times. */
  readonly provider?: Pick<ProviderOptions, "stallTimeoutMs" | "attempts" | "backoffMs" | "random">;
}

/** A table of the config asks for what cannot be; `message` names it. */
export class BadDeclaration extends Error {
  override readonly name = "BadDeclaration";
}

/** Opens the store and builds the assistant. Throws `BadDeclaration` and what `openStorage` throws. */
export async function createAssistant(options: AssistantOptions): Promise<Assistant> {
  const { config, env, version, now = () => new Date(), report = () => {} } = options;
  checkDeclarations(options);
  const registry = registryOf(options.toolsets);
  reportHidden(config, registry, now, report);
  const storage = await openStorage({
    dataDir: config.dataDir,
    url: config.storage.url,
    token: env("MALAMA_STORAGE_TOKEN"),
    now,
    report: (message) => report("ERROR", "storage", message),
  });
  try {
    return assemble(options, { storage, registry, now, report, version });
  } catch (error) {
    await storage.close();
    throw error;
  }
}

interface Parts {
  readonly storage: Storage;
  readonly registry: ToolsetRegistry;
  readonly now: () => Date;
  readonly report: Report;
  readonly version: string;
}

function assemble(options: AssistantOptions, { storage, registry, now, report, version }: Parts): Assistant {
  const { config, env } = options;
  const startedAt = now();
  const feed = new Feed();
  const log = new Log(storage.database, feed, now);
  const newId = idSource(now);
  const memory = openMemory({
    embedding: config.toolsets.memory?.embedding,
    database: storage.database,
    now,
    newId,
    env,
    fetch: options.fetch,
    report: (message) => report("WARNING", "memory", message),
  });
  const services = new Services()
    .provide(MEMORY, () => memory.memories)
    .provide(DOCUMENTS, () => memory.documents)
    .provide(EGRESS, () =>
      createEgress({
        allow: config.security.allowPrivateNetwork,
        userAgent: `Malama/${version} (personal assistant)`,
      }))
    .provide(LOOKUP, () => lookupOf(config.lookup, env));
  const source: AgentSource = { config, registry, now, services, system: options.system };
  const clients = new Map<string, ModelClient>();
  const connect = (model: string, onWarning: (text: string) => void): ModelClient =>
    createModelClient(model, { env, fetch: options.fetch, prices: config.prices, onWarning, ...options.provider });
  const client = (model: string): ModelClient => {
    const made = clients.get(model) ?? connect(model, (text) => report("WARNING", "models", text));
    clients.set(model, made);
    return made;
  };

  let isReady = false;
  const configured = options.model ?? config.assistant.model;
  // Until it is resolved: what the config names, or the demo, which is what there is without a network.
  let chosen: DefaultModel = asDefault({
    string: configured ?? "demo:tour",
    source: options.model ? "flag" : configured ? "config" : "demo",
  }, config);

  const declared = {
    now,
    newId,
    entryAgent: config.assistant.agent,
    isAgent: (name: string) => Object.hasOwn(config.agents, name),
    modelProblem,
  };
  const book: ConversationBook = new ConversationBook({
    database: storage.database,
    feed,
    log,
    ...declared,
    isRunning: (conversation) => turns.isRunning(conversation),
    stopTurn: (conversation) => turns.drop(conversation),
  });
  const imports = new Importer({ ...declared, storage, book });
  const turns: TurnRunner = new TurnRunner({
    storage,
    log,
    feed,
    book,
    source,
    now,
    newId,
    defaultModel: async () => (await resolved, chosen.string),
    modelClient: (model) => Promise.resolve(client(model)),
    costOf: (model, usage) => costOf(usage, model.info.price),
    diagnose: () => describeDiagnostics(diagnostics()),
    report,
  });

  const titler = new Titler({
    book,
    log,
    feed,
    isOn: () => config.assistant.generateTitles,
    // A client of its own: what a model cannot do for a title is no warning to the person.
    modelOf: async ({ agent, model }) => {
      const own = model ?? modelStringFor(config, agent, (await resolved, chosen.string));
      return connect(own, (text) => report("DEBUG", "titles", text));
    },
    report,
  });

  const resolved = resolveDefaultModel({
    flag: options.model,
    configured: config.assistant.model,
    env,
    fetch: options.fetch,
    ownPorts: [config.web.port],
  })
    .then((found) => {
      chosen = asDefault(found, config);
      report(
        found.source === "local" ? "WARNING" : "INFO",
        "models",
        `default model: ${found.string} (${found.source})`,
      );
    });
  const local = new LocalModelCache({ env, fetch: options.fetch, ownPorts: [config.web.port], now });
  const housekeeping = new Housekeeping({ book, storage, others: [memory.tidy], every: options.every, report });
  const started = resolved.then(async () => {
    if (storage.health.state === "healthy") await turns.recover();
    isReady = true;
    housekeeping.run();
  });
  started.catch((error) => report("ERROR", "start", errorText(error)));

  const diagnostics = (): Diagnostics => {
    const { rss, heapUsed } = Deno.memoryUsage();
    return {
      version,
      ready: isReady,
      started_at: startedAt.toISOString(),
      uptime_seconds: Math.max(0, (now().getTime() - startedAt.getTime()) / 1000),
      pid: Deno.pid,
      memory: { rss_bytes: rss, heap_used_bytes: heapUsed },
      storage: {
        state: storage.health.state,
        detail: storage.health.state === "damaged" ? storage.health.detail : null,
      },
      default_model: chosen.string,
      agents: summaries().map(({ name, model, thinking }) => ({ name, model, thinking })),
      turns: turns.active(),
      queued: turns.waiting,
    };
  };
  const summaries = () => Object.values(config.agents).map((agent) => summarize(agent, source, chosen.string));

  return {
    version,
    config,
    storage,
    feed,
    log,
    conversations: book,
    imports,
    titles: titler,
    turns,
    memories: memory.memories,
    documents: memory.documents,
    get ready() {
      return isReady;
    },
    started,
    get defaultModel() {
      return chosen;
    },
    agents: summaries,
    toolsets: () =>
      registry.all().map(({ toolset, provider }) => ({
        name: toolset.name,
        provider,
        description: toolset.description,
        permissions: { ...toolset.permissions },
        tools: toolsOf(registry, [toolset], source).map(({ name, description }) => ({ name, description })),
      })),
    models: async ({ all = false } = {}) =>
      listModels({
        chosen: chosen.string,
        declared: Object.values(config.agents).flatMap((agent) => agent.model ?? []),
        served: await local.models(),
        prices: config.prices,
        env,
        all,
      }),
    search: (words, { limit } = {}) => searchText(storage.database, words, { limit, now: now() }),
    diagnostics,
    usage: ({ days, zone = Temporal.Now.timeZoneId() } = {}) =>
      reportUsage(storage.database, { now: now(), zone, ...days !== undefined && { days } }),
    async close() {
      local.close();
      titler.close();
      await turns.close();
      await housekeeping.close();
      await memory.close();
      await storage.close();
    },
  };
}

/**
 * What no agent could be built from, naming the table (K-009, K-029): unknown toolsets and model strings that cannot be
 * read. The loader of the config runs this too, and adds the lines.
 */
export function declarationProblems(config: Config, toolsets: readonly Toolset[]): ConfigProblem[] {
  const registry = registryOf(toolsets);
  const models = [
    { section: "assistant", model: config.assistant.model },
    ...Object.values(config.agents).map(({ name, model }) => ({ section: `agents.${name}`, model })),
  ];
  const entry = allowListProblem(config.security.allowPrivateNetwork);
  const setting = config.toolsets.memory?.embedding;
  const embedding = typeof setting === "string" ? embeddingProblem(setting) : null;
  return [
    ...entry === null ? [] : [{ message: entry, section: "security", key: "allow_private_network" }],
    ...embedding === null ? [] : [{ message: embedding, section: "memory", key: "embedding" }],
    ...models.flatMap(({ section, model }) => {
      const problem = model === undefined ? null : modelProblem(model);
      return problem ? [{ message: problem, section, key: "model" }] : [];
    }),
    ...Object.values(config.agents).flatMap(({ name, tools }) => {
      const problem = selectionProblem(registry, tools.available);
      return problem ? [{ message: problem, section: `agents.${name}.tools`, key: "available" }] : [];
    }),
  ];
}

function registryOf(toolsets: readonly Toolset[]): ToolsetRegistry {
  const registry = new ToolsetRegistry();
  for (const toolset of toolsets) registry.register(toolset, "built-in");
  return registry;
}

function selectionProblem(registry: ToolsetRegistry, available: AgentDeclaration["tools"]["available"]): string | null {
  try {
    registry.select(available);
    return null;
  } catch (error) {
    if (error instanceof UnknownToolset) return error.message;
    throw error;
  }
}

/** Says which tools no agent can call because another of the same name came first (K-165). */
function reportHidden(config: Config, registry: ToolsetRegistry, now: () => Date, report: Report): void {
  for (const agent of Object.values(config.agents)) {
    const { hidden } = registry.build(registry.select(agent.tools.available), {
      settings: config.toolsets,
      now,
      agent: agentFacts(config, agent.name),
      use: new Services().use,
    });
    for (const { tool, toolset, holder } of hidden) {
      report("WARNING", "tools", `${agent.name} cannot call ${tool} of ${toolset}: ${holder} has a tool of that name`);
    }
  }
}

/** Refuses a bad table or flag before anything is written. */
function checkDeclarations(options: AssistantOptions): void {
  const [first] = declarationProblems(options.config, options.toolsets);
  if (first) throw new BadDeclaration(`[${first.section}].${first.key}: ${first.message}`);
  const problem = options.model === undefined ? null : modelProblem(options.model);
  if (problem) throw new BadDeclaration(`--model: ${problem}`);
}

/** What is wrong with a model string, or `null`. */
function modelProblem(model: string): string | null {
  try {
    parseModelString(model);
    return null;
  } catch (error) {
    if (error instanceof BadModelString) return error.message;
    throw error;
  }
}

/** What is wrong with the list of private hosts, or `null`. */
function allowListProblem(entries: readonly string[]): string | null {
  try {
    createEgress({ allow: entries });
    return null;
  } catch (error) {
    if (error instanceof BadAllowEntry) return error.message;
    throw error;
  }
}

function asDefault(found: Pick<DefaultModel, "string" | "source">, config: Config): DefaultModel {
  return { ...found, info: describeModel(parseModelString(found.string), config.prices) };
}

function summarize(agent: AgentDeclaration, source: AgentSource, fallback: string): AgentSummary {
  const { config, registry } = source;
  const toolsets = registry.select(agent.tools.available);
  return {
    name: agent.name,
    description: agent.description ?? "",
    entry: agent.name === config.assistant.agent,
    model: modelStringFor(config, agent.name, fallback),
    thinking: agent.thinking ?? config.assistant.thinking ?? null,
    max_iterations: agent.maxIterations ?? config.assistant.maxIterations,
    delegates_to: agent.delegatesTo,
    toolsets: toolsets.map(({ name }) => ({ name, resident: true })),
    tools: toolsOf(registry, toolsets, source),
  };
}

function toolsOf(registry: ToolsetRegistry, toolsets: readonly Toolset[], { config, now, services }: AgentSource) {
  const agent = agentFacts(config, config.assistant.agent);
  const { tools } = registry.build(toolsets, { settings: config.toolsets, now, agent, use: services.use });
  return tools.map(({ tool, toolset }) => ({
    name: tool.spec.name,
    toolset,
    description: tool.spec.description,
  }));
}
