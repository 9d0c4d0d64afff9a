/**
 * The whole product in this process: a real store, a real server on loopback, models behind real HTTP.
 *
 * @module
 */
import { join } from "node:path";
import { type Assistant, createAssistant } from "../../core/assistant.ts";
import type { Config } from "../../core/config/mod.ts";
import type { Entry, EntryKind, Turn } from "../../core/log/mod.ts";
import type { ProviderOptions } from "../../core/model/mod.ts";
import type { Toolset } from "../../core/tool/mod.ts";
import { builtInToolsets } from "../../toolsets/mod.ts";
import { type RunningServer, serve } from "../../web/mod.ts";
import { testConfig } from "../core/config_fixture.ts";
import { LiveClient } from "./live_client.ts";

export interface ProductOptions {
  readonly model: string;
  readonly dataDir?: string;
  readonly toolsets?: readonly Toolset[];
  /** Keep the data folder. */
  readonly keep?: boolean;
  /** The assistant's clock. */
  readonly now?: () => Date;
  /** How providers are spoken to, where it differs. */
  readonly provider?: Pick<ProviderOptions, "stallTimeoutMs" | "attempts" | "backoffMs">;
  readonly config?: Partial<Config>;
}

export interface Product extends AsyncDisposable {
  readonly assistant: Assistant;
  readonly server: RunningServer;
  readonly url: string;
  readonly token: string;
  readonly dataDir: string;
  /** Asks with the token; `body` is sent as JSON. Throws on an error status. */
  call<T>(method: string, path: string, body?: unknown): Promise<T>;
  /** Makes a conversation; `model` instead of the product's own. */
  conversation(model?: string): Promise<string>;
  /** Sends a message and gives its turn. */
  say(conversation: string, text: string): Promise<string>;
  /** The turn, once it has ended. */
  ended(turn: string): Promise<Turn>;
  /** Its last 500 entries, over all branches. */
  stored(conversation: string): Promise<readonly Entry[]>;
  of<K extends EntryKind>(conversation: string, kind: K): Promise<readonly Entry<K>[]>;
  live(): Promise<LiveClient>;
}

/** Starts it; disposing stops everything and removes the folder unless `keep`. */
export async function startProduct(options: ProductOptions): Promise<Product> {
  const dataDir = options.dataDir ?? await Deno.makeTempDir({ prefix: "malama-system-" });
  const toolsets = options.toolsets ?? builtInToolsets;
  // What is the loop's own is nobody's to declare.
  const declared = toolsets.map(({ name }) => name).filter((name) => name !== "core");
  const config = { ...testConfig(declared, options.config), dataDir };
  const assistant = await createAssistant({
    config,
    version: "test",
    toolsets,
    env: (name) => /_API_KEY$/.test(name) ? "test-key" : undefined,
    model: options.model,
    now: options.now,
    provider: { stallTimeoutMs: 20_000, backoffMs: 20, ...options.provider },
  });
  const server = await serve({ assistant });
  const token = (await Deno.readTextFile(join(dataDir, "token"))).trim();
  const { url } = server;
  const call = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return (text ? JSON.parse(text) : undefined) as T;
  };
  const ended = (turn: string) => {
    const { promise, resolve } = Promise.withResolvers<Turn>();
    const leave = assistant.feed.subscribe((operation) => {
      if (operation.op === "turn" && operation.turn.id === turn && operation.turn.status !== "running") {
        resolve(operation.turn);
      }
    });
    assistant.storage.database.read("select conversation, status from turns where id = ?", [turn]).then(
      async ([row]) => {
        if (!row || row.status === "running") return;
        const { path } = await assistant.conversations.get(String(row.conversation));
        const found = path.find((each) => each.id === turn);
        if (found) resolve(found);
      },
    );
    return promise.finally(leave);
  };
  const stored = async (conversation: string) =>
    (await assistant.log.entries(conversation, { limit: 500, all: true })).items;
  return {
    assistant,
    server,
    url,
    token,
    dataDir,
    call,
    conversation: async (model) =>
      (await call<{ id: string }>("POST", "/api/conversations", model === undefined ? {} : { model })).id,
    say: async (conversation, text) =>
      (await call<{ turn: string }>("POST", `/api/conversations/${conversation}/messages`, { text })).turn,
    ended,
    stored,
    of: async (conversation, kind) => (await stored(conversation)).filter((entry) => entry.kind === kind) as never,
    live: () => LiveClient.open(url, token),
    async [Symbol.asyncDispose]() {
      await server.close();
      await assistant.close();
      if (!options.keep) await Deno.remove(dataDir, { recursive: true });
    },
  };
}
