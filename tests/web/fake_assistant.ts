import { join } from "node:path";
import type { Assistant } from "../../core/assistant.ts";
import type { Config } from "../../core/config/mod.ts";
import { liveSettings } from "../../core/live_settings.ts";
import { ConversationBook, ConversationNotFound, Importer, searchText } from "../../core/conversation/mod.ts";
import { Feed, idSource, Log, type PendingMessage, type Turn } from "../../core/log/mod.ts";
import { openMemory } from "../../core/memory/mod.ts";
import { modelFacts } from "../../core/model/mod.ts";
import { openStorage } from "../../core/storage/mod.ts";
import { ApprovalDesk, type IncomingMessage, MessageGone, RuleStore, type Turns } from "../../core/turn/mod.ts";

/** A config of nothing but what serving reads. */
export function testConfig(dataDir: string, web: Partial<Config["web"]> = {}): Config {
  return {
    file: join(dataDir, "config.toml"),
    version: "v1",
    dataDir,
    assistant: {
      systemMessage: "",
      agent: "assistant",
      concurrentTools: true,
      maxIterations: 10,
      generateTitles: false,
      captureRequests: false,
      generation: {},
    },
    agents: {},
    web: { host: "127.0.0.1", port: 0, auth: "token", allowedHosts: [], basePath: "", ...web },
    storage: {},
    security: { approvalTimeout: 600, allowPrivateNetwork: [], lockedConfigKeys: [] },
    logging: { level: "INFO" },
    frontend: { name: "web" },
    prices: {},
    toolsets: {},
    settings: [],
  } as unknown as Config;
}

/** An assistant whose store, log, feed and book are the real ones; only its turns are written down instead of run. */
export interface FakeAssistant extends Assistant {
  readonly log: Log;
  readonly approvals: ApprovalDesk;
  /** What was submitted, in order. */
  readonly submitted: { conversation: string; message: IncomingMessage }[];
  /** Conversations a title was asked for, in order. */
  readonly named: string[];
  /** What was asked of turns that were, in order. */
  readonly done: (readonly unknown[])[];
  /** What waits; the id of each begins with its conversation's. */
  readonly waiting: PendingMessage[];
  /** What `turns.submit` throws next. */
  failNext: Error | null;
  makeReady(): void;
}

export async function fakeAssistant(dataDir: string, web: Partial<Config["web"]> = {}): Promise<FakeAssistant> {
  const config = testConfig(dataDir, web);
  const storage = await openStorage({ dataDir });
  const feed = new Feed();
  const log = new Log(storage.database, feed);
  const newId = idSource(() => new Date());
  const started = Promise.withResolvers<void>();
  const submitted: FakeAssistant["submitted"] = [];
  const named: string[] = [];
  let isReady = false;
  const declared = {
    now: () => new Date(),
    newId,
    entryAgent: "assistant",
    isAgent: (name: string) => name === "assistant",
    modelProblem: (model: string) => model.includes(":") ? null : `"${model}" is no model string`,
  };
  const book = new ConversationBook({
    ...declared,
    database: storage.database,
    feed,
    log,
    isRunning: () => false,
    stopTurn: () => Promise.resolve(),
  });
  const done: FakeAssistant["done"] = [];
  const pending: PendingMessage[] = [];
  const doing = async (what: string, conversation: string, ...rest: unknown[]) => {
    await book.get(conversation);
    done.push([what, conversation, ...rest]);
    return { turn: newId() };
  };
  const waiting = (conversation: string, id: string): Promise<PendingMessage> => {
    const found = pending.find((message) => message.id === id && id.startsWith(conversation));
    return found ? Promise.resolve(found) : Promise.reject(new MessageGone(id));
  };
  const turns: Turns = {
    async submit(conversation, message) {
      if (assistant.failNext) throw assistant.failNext;
      if (await book.resolve(conversation) !== conversation) throw new ConversationNotFound(conversation);
      submitted.push({ conversation, message });
      return { fate: "turn", turn: newId() };
    },
    stop: () => Promise.resolve(false),
    async resume(conversation) {
      await book.get(conversation);
      return { id: newId() } as Turn;
    },
    regenerate: (conversation, turn, how = {}) => doing("regenerate", conversation, turn, how),
    edit: (conversation, turn, text) => doing("edit", conversation, turn, text),
    async pending(conversation) {
      const { id } = await book.stored(conversation);
      return pending.filter((message) => message.id.startsWith(id));
    },
    editPending: async (conversation, message, text) => ({ ...await waiting(conversation, message), text }),
    takePending: async (conversation, message) => void await waiting(conversation, message),
    async sendPending(conversation, message) {
      await waiting(conversation, message);
      return { fate: "joined", turn: "running" };
    },
    running: () => [],
  };
  const info = {
    string: "demo:tour",
    provider: "demo",
    id: "tour",
    contextWindow: 32_768,
    images: false,
    tools: true,
    thinking: true,
  };
  const memory = openMemory({
    embedding: "hash",
    database: storage.database,
    now: declared.now,
    newId,
    env: () => undefined,
    report: () => {},
  });
  const assistant: FakeAssistant = {
    version: "1.2.3",
    config,
    settings: liveSettings(config, [], () => undefined),
    storage,
    feed,
    log,
    conversations: book,
    imports: new Importer({ ...declared, storage, book }),
    approvals: new ApprovalDesk({
      book,
      log,
      feed,
      rules: new RuleStore(storage.database, newId, declared.now),
      now: declared.now,
      timeoutMs: 600_000,
    }),
    titles: { request: async (id) => void named.push((await book.stored(id)).id) },
    named,
    turns,
    memories: memory.memories,
    documents: memory.documents,
    submitted,
    done,
    waiting: pending,
    failNext: null,
    get ready() {
      return isReady;
    },
    started: started.promise,
    makeReady() {
      isReady = true;
      started.resolve();
    },
    defaultModel: { string: "demo:tour", source: "demo", info },
    agents: () => [],
    toolsets: () => [],
    models: () => Promise.resolve([{ ...modelFacts(info), source: "demo", reachable: true, needs_key: null }]),
    diagnostics: () => ({
      version: "1.2.3",
      ready: isReady,
      started_at: new Date().toISOString(),
      uptime_seconds: 1,
      pid: Deno.pid,
      memory: { rss_bytes: 1, heap_used_bytes: 1 },
      storage: { state: "healthy", detail: null },
      default_model: "demo:tour",
      agents: [],
      turns: [],
      queued: 0,
    }),
    search: (words, options = {}) => searchText(storage.database, words, { ...options, now: new Date() }),
    usage: () => Promise.resolve({ day: [], agent: [], model: [] }),
    async close() {
      await memory.close();
      await storage.close();
    },
  };
  return assistant;
}
