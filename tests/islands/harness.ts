/**
 * A page to test: the real assistant on a real store with a scripted model, the real server, a real browser. The tests and
 * `preview.ts` share it.
 *
 * @module
 */
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import assert from "node:assert/strict";
import { type Browser, type BrowserContext, type BrowserContextOptions, type Page } from "playwright-core";
import { type Assistant, createAssistant } from "../../core/assistant.ts";
import { loadConfig } from "../../core/config/mod.ts";
import type { ScriptedTurn } from "../../core/model/mod.ts";
import { defineToolset, tool, z } from "../../mod.ts";
import { png } from "../core/log/sample_pictures.ts";
import { compute } from "../../toolsets/compute.ts";
import { core } from "../../toolsets/core.ts";
import { messaging } from "../../toolsets/messaging.ts";
import { time } from "../../toolsets/time.ts";
import { type RunningServer, serve } from "../../web/mod.ts";

/** A tool that takes as long, fails as often and says as much as a test needs. */
const bench = defineToolset({
  name: "bench",
  description: "Does what a test needs",
  tools: () => [
    tool({
      name: "read_file",
      description: "Reads a file",
      input: z.object({ path: z.string(), lines: z.number().default(3) }),
      run: ({ path, lines }) => Array.from({ length: lines }, (_, line) => `${path}, line ${line + 1}`).join("\n"),
    }),
    tool({
      name: "fetch_page",
      description: "Fetches a page",
      input: z.object({ url: z.string() }),
      run: ({ url }) => {
        if (url.includes("ferry")) throw new Error("The server did not answer within 20 s. Tried twice");
        return `Low water at ${url}: 11:31`;
      },
    }),
    tool({
      name: "wait_for",
      description: "Takes a while",
      input: z.object({ ms: z.number() }),
      run: ({ ms }, { signal }) =>
        new Promise<string>((resolve, reject) => {
          const timer = setTimeout(() => resolve("over"), ms);
          signal.addEventListener("abort", () => {
            clearTimeout(timer);
            reject(signal.reason);
          });
        }),
    }),
    tool({
      name: "draw",
      description: "Draws a map",
      input: z.object({ width: z.number().default(640), height: z.number().default(400) }),
      run: ({ width, height }) => ({
        text: "Drawn",
        images: [{ name: "map.png", media_type: "image/png", data: png(width, height, { colour: [40, 120, 90] }) }],
      }),
    }),
    tool({
      name: "say_back",
      description: "Says it back",
      input: z.object({ text: z.string() }),
      run: ({ text }) => text,
    }),
  ],
});

/** An agent that work is handed to: its script, and what its table says besides. */
export interface Worker {
  readonly script: readonly ScriptedTurn[];
  readonly delegates_to?: readonly string[];
  readonly max_iterations?: number;
}

export interface SiteOptions {
  readonly script?: readonly ScriptedTurn[];
  /** A model string in place of the script. */
  readonly model?: string;
  readonly basePath?: string;
  readonly auth?: "none" | "token";
  /** Names a proxy uses for it. */
  readonly allowedHosts?: readonly string[];
  readonly dataDir?: string;
  /** Says that the store is damaged, though it is not. */
  readonly damaged?: boolean;
  /** For a server that comes back on the same port. */
  readonly port?: number;
  /** Calls of the agent that ask first, as `toolset.tool`. */
  readonly confirm?: readonly string[];
  /** Agents the one people talk to hands work to, each with a script of its own: `{ scout: [...] }`. */
  readonly workers?: Readonly<Record<string, Worker | readonly ScriptedTurn[]>>;
  /** Seconds a question waits. */
  readonly approvalTimeout?: number;
}

export interface Site {
  readonly assistant: Assistant;
  readonly server: RunningServer;
  readonly url: string;
  readonly dataDir: string;
  close(): Promise<void>;
}

/** Starts the whole product on a free port. */
export async function startSite(options: SiteOptions = {}): Promise<Site> {
  const dataDir = options.dataDir ?? await Deno.makeTempDir({ prefix: "malama-page-" });
  const script = join(dataDir, "script.json");
  await Deno.writeTextFile(script, JSON.stringify(options.script ?? []));
  for (const [name, worker] of Object.entries(options.workers ?? {})) {
    const turns = "script" in worker ? worker.script : worker;
    await Deno.writeTextFile(join(dataDir, `${name}.json`), JSON.stringify(turns));
  }
  const file = join(dataDir, "config.toml");
  await Deno.writeTextFile(file, configText(dataDir, options.model ?? `demo:script@${script}`, options));
  const toolsets = [core, time, compute, messaging, bench];
  const config = await loadConfig({ root: dataDir, file });
  const assistant = await createAssistant({ config, version: "0.1.0", toolsets, env: () => undefined });
  await assistant.started;
  const server = await serve({ assistant: options.damaged ? damage(assistant) : assistant });
  await server.loaded;
  return {
    assistant,
    server,
    url: server.url,
    dataDir,
    async close() {
      await server.close();
      await assistant.close();
      if (!options.dataDir) await removeFolder(dataDir);
    },
  };
}

/** The same assistant on a store that says it is damaged. */
function damage(assistant: Assistant): Assistant {
  const health = { state: "damaged", detail: "page 7 of table entries", advice: "Put the backup back" } as const;
  const storage = new Proxy(assistant.storage, {
    get: (target, key) => key === "health" ? health : Reflect.get(target, key, target),
  });
  return new Proxy(assistant, { get: (target, key) => key === "storage" ? storage : Reflect.get(target, key, target) });
}

function configText(dataDir: string, model: string, options: SiteOptions): string {
  const { basePath = "", auth = "none", port = 0, allowedHosts = [], confirm = [], workers = {} } = options;
  const names = Object.keys(workers);
  return `
[paths]
data_dir = ${JSON.stringify(dataDir)}

[assistant]
model = ${JSON.stringify(model)}
generate_titles = false

[web]
host = "127.0.0.1"
port = ${port}
auth = "${auth}"
base_path = ${JSON.stringify(basePath)}
allowed_hosts = ${JSON.stringify(allowedHosts)}

[security]
approval_timeout = ${options.approvalTimeout ?? 600}

${agentText("assistant", { description: "Answers", delegates_to: names }, confirm)}
${
    Object.entries(workers).map(([name, worker]) => {
      const { script: _, ...keys } = "script" in worker ? worker : { script: worker };
      const model = `demo:script@${join(dataDir, `${name}.json`)}`;
      return agentText(name, { description: `Works as ${name}`, model, ...keys }, confirm);
    }).join("\n")
  }
`;
}

function agentText(name: string, keys: Readonly<Record<string, unknown>>, confirm: readonly string[]): string {
  const lines = Object.entries(keys).map(([key, value]) => `${key} = ${JSON.stringify(value)}`);
  const gates = confirm.length > 0 ? `confirm = ${JSON.stringify(confirm)}\nreview = []\n` : "";
  return `[agents.${name}]\n${lines.join("\n")}\n\n[agents.${name}.tools]\navailable = "all"\n${gates}`;
}

/** What a page may not do: break the content security policy, throw, or ask another host for anything. */
export interface Watched {
  readonly page: Page;
  readonly violations: string[];
  readonly errors: string[];
  readonly foreign: string[];
}

/** A new page whose misdeeds are written down. */
export async function watchedPage(context: BrowserContext, site: Site): Promise<Watched> {
  const page = await context.newPage();
  const watched: Watched = { page, violations: [], errors: [], foreign: [] };
  const own = new URL(site.url).host;
  page.on("console", (message) => {
    const text = message.text();
    if (/Content Security Policy/i.test(text)) watched.violations.push(text);
    else if (message.type() === "error" && !/WebSocket|ERR_|Failed to load resource/.test(text)) {
      watched.errors.push(text);
    }
  });
  page.on("pageerror", (error) => watched.errors.push(String(error)));
  page.on("request", (request) => {
    const url = new URL(request.url());
    if (url.host !== own && url.protocol !== "data:" && url.protocol !== "blob:") watched.foreign.push(request.url());
  });
  return watched;
}

/** A window of a desk, with motion off, so that nothing moves while a test looks. */
export const DESK: BrowserContextOptions = {
  viewport: { width: 1440, height: 900 },
  reducedMotion: "reduce",
  // Tests that cut the page off see its own requests; those of the worker itself allow it.
  serviceWorkers: "block",
};

/** Chromium keeps sockets and timers of its own between tests. */
export const LOOSE = { sanitizeResources: false, sanitizeOps: false } as const;

/** Runs a test on a page of its own product; afterwards the page must have behaved. */
export async function withPage(
  browser: Browser,
  options: SiteOptions & { readonly context?: BrowserContextOptions },
  run: (page: Page, site: Site) => Promise<void>,
): Promise<void> {
  const site = await startSite(options);
  const context = await browser.newContext({ ...DESK, ...options.context });
  context.setDefaultTimeout(20_000);
  try {
    const watched = await watchedPage(context, site);
    await run(watched.page, site);
    assert.deepEqual(watched.violations, [], "the content security policy was broken");
    assert.deepEqual(watched.errors, [], "the page threw");
    assert.deepEqual(watched.foreign, [], "another host was asked");
  } finally {
    await context.close();
    await site.close();
  }
}

/** Opens the start page and waits until it is awake. */
export async function openStart(page: Page, site: Site): Promise<void> {
  await page.goto(`${site.url}/`);
  await untilLive(page);
}

/** Waits until the page is awake and its socket is greeted. */
export async function untilLive(page: Page): Promise<void> {
  await page.getByText("Live on this machine").waitFor({ state: "attached", timeout: 20_000 });
}

/** Writes a message and sends it with Enter. */
export async function say(page: Page, text: string): Promise<void> {
  await page.locator("#say").fill(text);
  await page.locator("#say").press("Enter");
}

/** Waits until the last turn is over. */
export async function untilAnswered(page: Page, turns = 1): Promise<void> {
  await page.locator(".colophon").nth(turns - 1).waitFor({ timeout: 20_000 });
}

/** Waits until no turn of a conversation runs. */
export async function untilIdle(site: Site, conversation: string): Promise<void> {
  const deadline = Date.now() + 20_000;
  while (site.assistant.turns.running().includes(conversation)) {
    assert.ok(Date.now() < deadline, "the turn does not end");
    await delay(10);
  }
}

/** Opens every fold of the transcript. */
export async function openFolds(page: Page): Promise<void> {
  await page.evaluate(() => {
    for (const fold of document.querySelectorAll<HTMLDetailsElement>("main details:not(.menu)")) fold.open = true;
  });
}

/** A child that is just ending may still write into the folder while it is being removed: then it is removed again. */
async function removeFolder(folder: string): Promise<void> {
  for (let attempt = 1;; attempt++) {
    try {
      return await Deno.remove(folder, { recursive: true });
    } catch (error) {
      if (attempt === 5) throw error;
    }
  }
}
