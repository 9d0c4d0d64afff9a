/**
 * The whole product over the wire, on a scripted model, with a toolset whose calls need an answer.
 *
 * @module
 */
import { join } from "node:path";
import { z } from "zod";
import { type Assistant, type AssistantOptions, createAssistant } from "../../core/assistant.ts";
import { loadConfig } from "../../core/config/mod.ts";
import type { Entry } from "../../core/log/mod.ts";
import type { ScriptedTurn } from "../../core/model/mod.ts";
import { defineToolset, tool } from "../../core/tool/mod.ts";
import { declarationProblems } from "../../core/declared.ts";
import { serve } from "../../web/serve.ts";
import { type Frame, LiveClient } from "../web/live_client.ts";

export interface Answered {
  readonly status: number;
  // deno-lint-ignore no-explicit-any
  readonly body: any;
}

export interface Product extends AsyncDisposable {
  readonly root: string;
  readonly assistant: Assistant;
  /** What was sent, in the order the tool ran. */
  readonly sent: string[];
  /** Lets every time limit run out. */
  timeUp(): void;
  ask(method: string, path: string, body?: unknown): Promise<Answered>;
  /** A tab that has read its `hello`. */
  tab(): Promise<{ readonly client: LiveClient; readonly hello: Frame }>;
  /** A conversation with a message in it: its id, and the turn's. */
  say(text?: string): Promise<{ readonly conversation: string; readonly turn: string }>;
  /** Stops the process, and leaves its folder. */
  stop(): Promise<void>;
}

export interface ProductOptions {
  readonly script: readonly ScriptedTurn[];
  /** A folder from before; else a new one. */
  readonly root?: string;
  /** Added to the config. */
  readonly config?: string;
  readonly options?: Partial<AssistantOptions>;
}

/** Calls of `send`, all in one round, then an answer. */
export function calls(...texts: readonly string[]): readonly ScriptedTurn[] {
  return [
    { tool_calls: texts.map((x) => ({ name: "send", arguments: { x } })) },
    { text: "That is all" },
  ];
}

/** Starts it. Disposing stops it and removes its folder. */
export async function startProduct(
  { script, root: old, config: more = "", options }: ProductOptions,
): Promise<Product> {
  const root = old ?? await Deno.makeTempDir({ prefix: "malama-approvals-" });
  const scriptFile = join(root, "script.json");
  await Deno.writeTextFile(scriptFile, JSON.stringify(script));
  const file = join(root, "config.toml");
  const text = `[assistant]\nmodel = "demo:script@${scriptFile}"\n\n[agents.assistant.tools]\navailable = ["mail"]\n` +
    `confirm = ["mail.send"]\n${more}`;
  await Deno.writeTextFile(file, text);
  const sent: string[] = [];
  const mail = defineToolset({
    name: "mail",
    description: "Mail",
    tools: () => [
      tool({
        name: "send",
        description: "Sends a mail",
        input: z.object({ x: z.string() }),
        run: ({ x }) => `sent as number ${sent.push(x)}`,
      }),
    ],
  });
  const config = await loadConfig({ root, file, checks: [(config) => declarationProblems(config, [mail])] });
  const timers = new Set<() => void>();
  const assistant = await createAssistant({
    config,
    version: "0.0.1",
    toolsets: [mail],
    env: () => undefined,
    after: (_, run) => {
      timers.add(run);
      return () => timers.delete(run);
    },
    ...options,
  });
  const server = await serve({ assistant, web: { ...config.web, port: 0 } });
  await assistant.started;
  const token = (await Deno.readTextFile(join(config.dataDir, "token"))).trim();
  const headers = { authorization: `Bearer ${token}` };
  const tabs: LiveClient[] = [];
  let isStopped = false;
  const ask = async (method: string, path: string, body?: unknown): Promise<Answered> => {
    const answer = await fetch(`${server.url}${path}`, {
      method,
      headers: { ...headers, "content-type": "application/json" },
      ...body !== undefined && { body: JSON.stringify(body) },
    });
    const text = await answer.text();
    return { status: answer.status, body: text ? JSON.parse(text) : null };
  };
  const stop = async () => {
    if (isStopped) return;
    isStopped = true;
    await server.close();
    await Promise.all(tabs.map((tab) => tab.closed));
    await assistant.close();
  };
  return {
    root,
    assistant,
    sent,
    timeUp() {
      for (const run of [...timers]) run();
    },
    ask,
    async tab() {
      const client = new LiveClient(server.url, headers);
      tabs.push(client);
      return { client, hello: await client.next("hello") };
    },
    async say(text = "Send it") {
      const { body: { id } } = await ask("POST", "/api/conversations", {});
      const { body: { turn } } = await ask("POST", `/api/conversations/${id}/messages`, { text });
      return { conversation: id, turn };
    },
    stop,
    async [Symbol.asyncDispose]() {
      await stop();
      if (old === undefined) await Deno.remove(root, { recursive: true });
    },
  };
}

/** Shows a conversation in a tab, from its beginning. */
export async function show(client: LiveClient, conversation: string): Promise<void> {
  client.send({ op: "watch", conversation, after: 0 });
  await client.next("entries");
}

/** Reads on until so many questions wait, and gives them. */
// deno-lint-ignore no-explicit-any
export async function waiting(client: LiveClient, count: number): Promise<any[]> {
  const frames = await client.until(({ op, items }) => op === "approvals" && items.length === count);
  return frames.at(-1)!.frame.items;
}

/** Reads on until the turn has ended, and gives its status. */
export async function ended(client: LiveClient, turn: string): Promise<string> {
  const frames = await client.until((frame) =>
    frame.op === "turn" && frame.turn.id === turn && frame.turn.status !== "running"
  );
  return frames.at(-1)!.frame.turn.status;
}

/** The entries of one kind. */
export async function entriesOf<K extends Entry["kind"]>(
  product: Product,
  conversation: string,
  kind: K,
): Promise<readonly Entry<K>[]> {
  const { body } = await product.ask("GET", `/api/conversations/${conversation}/entries?all=true`);
  return body.items.filter((entry: Entry) => entry.kind === kind);
}
