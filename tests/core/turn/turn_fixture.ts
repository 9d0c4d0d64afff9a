/**
 * Turns over a real store, with a model the test chooses.
 *
 * @module
 */
import type { Config } from "../../../core/config/mod.ts";
import { ConversationBook } from "../../../core/conversation/mod.ts";
import {
  type Entry,
  type EntryKind,
  Feed,
  idSource,
  Log,
  type LogOperation,
  type Turn,
} from "../../../core/log/mod.ts";
import type { ModelClient } from "../../../core/model/mod.ts";
import { openStorage, type Storage } from "../../../core/storage/mod.ts";
import { CATALOG, Services, ToolsetRegistry } from "../../../core/tool/mod.ts";
import { TurnRunner } from "../../../core/turn/mod.ts";
import type { Toolset } from "../../../core/tool/mod.ts";
import { testConfig } from "../config_fixture.ts";

export interface TurnFixture extends AsyncDisposable {
  readonly dataDir: string;
  readonly storage: Storage;
  readonly log: Log;
  readonly feed: Feed;
  readonly book: ConversationBook;
  readonly turns: TurnRunner;
  readonly heard: LogOperation[];
  /** The turn, once it has ended. */
  ended(turn: string): Promise<Turn>;
  of<K extends EntryKind>(conversation: string, kind: K): Promise<readonly Entry<K>[]>;
}

export interface TurnSettings {
  readonly model: ModelClient | ((model: string) => ModelClient);
  readonly dataDir?: string;
  readonly toolsets?: readonly Toolset[];
  readonly keep?: boolean;
  /** Replaces parts of `[assistant]`. */
  readonly assistant?: Partial<Config["assistant"]>;
  /** Replaces the one agent there is otherwise. */
  readonly agents?: Config["agents"];
}

/** Opens a store and a runner over it; disposing closes both and removes the folder unless `keep`. */
export async function openTurns(settings: TurnSettings): Promise<TurnFixture> {
  const dataDir = settings.dataDir ?? await Deno.makeTempDir({ prefix: "malama-turns-" });
  const storage = await openStorage({ dataDir });
  const feed = new Feed();
  const heard: LogOperation[] = [];
  feed.subscribe((operation) => heard.push(operation));
  const now = () => new Date();
  const newId = idSource(now);
  const log = new Log(storage.database, feed, now);
  const registry = new ToolsetRegistry();
  for (const toolset of settings.toolsets ?? []) registry.register(toolset, "built-in");
  const plain = testConfig((settings.toolsets ?? []).map(({ name }) => name));
  const config = {
    ...plain,
    assistant: { ...plain.assistant, ...settings.assistant },
    ...settings.agents && { agents: settings.agents },
  };
  const { model } = settings;
  const book: ConversationBook = new ConversationBook({
    database: storage.database,
    feed,
    log,
    now,
    newId,
    entryAgent: "assistant",
    isAgent: (name) => name === "assistant",
    modelProblem: (name) => name.includes(":") ? null : "not a model string",
    isRunning: (id) => turns.isRunning(id),
    stopTurn: (id) => turns.drop(id),
  });
  const turns: TurnRunner = new TurnRunner({
    storage,
    log,
    feed,
    book,
    source: { config, registry, now, services: new Services().provide(CATALOG, () => registry) },
    now,
    newId,
    defaultModel: () => Promise.resolve("demo:script"),
    modelClient: (name) => Promise.resolve(typeof model === "function" ? model(name) : model),
    costOf: () => undefined,
    diagnose: () => "All is well",
    report: () => {},
  });
  return {
    dataDir,
    storage,
    log,
    feed,
    book,
    turns,
    heard,
    ended(turn) {
      const { promise, resolve } = Promise.withResolvers<Turn>();
      const take = (operation: LogOperation) => {
        if (operation.op === "turn" && operation.turn.id === turn && operation.turn.status !== "running") {
          resolve(operation.turn);
        }
      };
      feed.subscribe(take);
      heard.forEach(take);
      return promise;
    },
    async of(conversation, kind) {
      const { items } = await log.entries(conversation, { limit: 500 });
      return items.filter((entry) => entry.kind === kind) as never;
    },
    async [Symbol.asyncDispose]() {
      await turns.close();
      await storage.close();
      if (!settings.keep) await Deno.remove(dataDir, { recursive: true });
    },
  };
}
