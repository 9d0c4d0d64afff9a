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
import type { Config } from "./config/mod.ts";
import { openStorage, type Storage } from "./storage/mod.ts";
import { errorText, Feed, idSource, Log, type LogReader } from "./log/mod.ts";
import { costOf, modelProblem, type ModelSummary } from "./model/mod.ts";
import { type DefaultModel, type ModelsOptions, openModels } from "./models_in_use.ts";
import type { Toolset, ToolsetRegistry } from "./tool/mod.ts";
import { type DocumentStore, type MemoryStore, openMemory } from "./memory/mod.ts";
import { openPlugins, type Plugins } from "./sandbox/mod.ts";
import { mediaProblems } from "./media/mod.ts";
import { type AgentSource, modelStringFor } from "./agent/mod.ts";
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
  type After,
  type Approvals,
  describeDiagnostics,
  type Diagnostics,
  openApprovals,
  reportUsage,
  TurnRunner,
  type Turns,
  type UsageReport,
} from "./turn/mod.ts";
import {
  type AgentSummary,
  declarationProblems,
  hiddenTools,
  registryOf,
  summarizeAgent,
  summarizeToolsets,
  type ToolsetSummary,
} from "./declared.ts";
import { type LiveSettings, liveSettings } from "./live_settings.ts";
import { toolsetServices } from "./toolset_services.ts";

export { type AgentSummary, declarationProblems, type ToolsetSummary } from "./declared.ts";

export type { DefaultModel } from "./models_in_use.ts";
export type { SearchHit } from "./conversation/mod.ts";
export type { ModelSummary } from "./model/mod.ts";
export type { Diagnostics, UsageReport, UsageRow } from "./turn/mod.ts";

export interface Assistant {
  readonly version: string;
  /** As it is in force now. */
  readonly config: Config;
  readonly settings: LiveSettings;
  readonly storage: Storage;
  readonly feed: Feed;
  readonly log: LogReader;
  readonly conversations: Book;
  readonly imports: Imports;
  readonly titles: Titles;
  readonly turns: Turns;
  readonly memories: MemoryStore;
  readonly documents: DocumentStore;
  readonly approvals: Approvals;
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
  /** Ends questions whose time is up; a timer if absent. */
  readonly after?: After;
  /** How providers are spoken to; tests shorten the times. */
  readonly provider?: ModelsOptions["provider"];
}

/** A table of the config asks for what cannot be; `message` names it. */
export class BadDeclaration extends Error {
  override readonly name = "BadDeclaration";
}

/** Opens the store and builds the assistant. Throws `BadDeclaration` and what `openStorage` throws. */
export async function createAssistant(options: AssistantOptions): Promise<Assistant> {
  const { config, env } = options;
  checkDeclarations(options);
  const plugins = await openPlugins({ config, env });
  try {
    return await withPlugins(options, plugins);
  } catch (error) {
    await plugins.close();
    throw error;
  }
}

async function withPlugins(options: AssistantOptions, plugins: Plugins): Promise<Assistant> {
  const { config, env, version, now = () => new Date(), report = () => {} } = options;
  const registry = registryOf(options.toolsets, plugins.toolsets, (message) => report("WARNING", "tools", message));
  for (const { toolset: { name }, problem, table } of plugins.toolsets) {
    if (problem !== null) report("WARNING", "tools", `the toolset ${name} cannot be used: ${problem}`);
    if (table !== null) report("WARNING", "tools", `the toolset ${name} asks for more than it was granted:\n${table}`);
  }
  for (const { agent, tool, toolset, holder } of hiddenTools({ config, registry, now })) {
    report("WARNING", "tools", `${agent} cannot call ${tool} of ${toolset}: ${holder} has a tool of that name`);
  }
  const storage = await openStorage({
    dataDir: config.dataDir,
    url: config.storage.url,
    token: env("MALAMA_STORAGE_TOKEN"),
    now,
    report: (message) => report("ERROR", "storage", message),
  });
  try {
    return assemble(options, { storage, registry, plugins, now, report, version });
  } catch (error) {
    await storage.close();
    throw error;
  }
}

interface Parts {
  readonly storage: Storage;
  readonly registry: ToolsetRegistry;
  readonly plugins: Plugins;
  readonly now: () => Date;
  readonly report: Report;
  readonly version: string;
}

function assemble(options: AssistantOptions, { storage, registry, plugins, now, report, version }: Parts): Assistant {
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
  for (const problem of mediaProblems(env)) report("WARNING", "models", problem);
  const settings = liveSettings(config, options.toolsets, env);
  const services = toolsetServices({
    config,
    env,
    version,
    now,
    storage,
    log,
    memory,
    registry,
    settings,
    book: () => book,
  });
  const source: AgentSource = {
    get config() {
      return settings.config;
    },
    registry,
    now,
    services,
    system: options.system,
    onLost: (message) => report("WARNING", "tools", message),
  };
  const models = openModels({
    config,
    env,
    flag: options.model,
    fetch: options.fetch,
    provider: options.provider,
    now,
    report,
  });
  let isReady = false;

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
  const approvals = openApprovals({
    config,
    registry,
    storage,
    book,
    log,
    feed,
    newId,
    now,
    defaultModel: models.defaultModel,
    connect: (model) => models.connect(model, (text) => report("DEBUG", "approvals", text)),
    report,
    after: options.after,
  });
  const turns: TurnRunner = new TurnRunner({
    storage,
    log,
    feed,
    book,
    source,
    now,
    newId,
    defaultModel: models.defaultModel,
    modelClient: (model) => Promise.resolve(models.client(model)),
    costOf: (model, usage) => costOf(usage, model.info.price),
    gateOf: approvals.gateOf,
    diagnose: () => describeDiagnostics(diagnostics()),
    report,
  });

  const titler = new Titler({
    book,
    log,
    feed,
    isOn: () => settings.config.assistant.generateTitles,
    // A client of its own: what a model cannot do for a title is no warning to the person.
    modelOf: async ({ agent, model }) => {
      const own = model ?? modelStringFor(config, agent, await models.defaultModel());
      return models.connect(own, (text) => report("DEBUG", "titles", text));
    },
    report,
  });

  const housekeeping = new Housekeeping({ book, storage, others: [memory.tidy], every: options.every, report });
  const started = models.resolved.then(async () => {
    approvals.resolve(models.chosen.string);
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
      default_model: models.chosen.string,
      agents: summaries().map(({ name, model, thinking }) => ({ name, model, thinking })),
      turns: turns.active(),
      queued: turns.waiting,
    };
  };
  const summaries = () =>
    Object.values(config.agents).map((agent) =>
      summarizeAgent(agent, source, models.chosen.string, approvals.policies)
    );

  return {
    version,
    get config() {
      return settings.config;
    },
    settings,
    storage,
    feed,
    log,
    conversations: book,
    imports,
    titles: titler,
    turns,
    memories: memory.memories,
    documents: memory.documents,
    approvals: approvals.desk,
    get ready() {
      return isReady;
    },
    started,
    get defaultModel() {
      return models.chosen;
    },
    agents: summaries,
    toolsets: () => summarizeToolsets(source),
    models: ({ all = false } = {}) => models.list(all),
    search: (words, { limit } = {}) => searchText(storage.database, words, { limit, now: now() }),
    diagnostics,
    usage: ({ days, zone = Temporal.Now.timeZoneId() } = {}) =>
      reportUsage(storage.database, { now: now(), zone, ...days !== undefined && { days } }),
    async close() {
      models.close();
      titler.close();
      await turns.close();
      await plugins.close();
      approvals.desk.close();
      await housekeeping.close();
      await memory.close();
      await storage.close();
    },
  };
}

/** Refuses a bad table or flag before anything is written. */
function checkDeclarations(options: AssistantOptions): void {
  const [first] = declarationProblems(options.config, options.toolsets);
  if (first) throw new BadDeclaration(`[${first.section}].${first.key}: ${first.message}`);
  const problem = options.model === undefined ? null : modelProblem(options.model);
  if (problem) throw new BadDeclaration(`--model: ${problem}`);
}
