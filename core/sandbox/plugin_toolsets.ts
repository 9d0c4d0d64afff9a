/**
 * The toolsets of `[toolsets.*]` in the config, as the registry takes them.
 *
 * Invariants (tests/core/sandbox/plugin_toolsets_test.ts)
 * 1. One that cannot be had stops nothing: it is there with no tools and with what is wrong.
 * 2. Modules are pinned when they are first seen; changed ones are not run until a person accepts them.
 * 3. What was accepted and has not changed is there without a process of it, until a call needs one; the modules are looked
 *    at again each time its process starts.
 * 4. What a toolset says of itself gives it nothing: what it may reach is what the person granted.
 *
 * @module
 */
import { dirname, join } from "node:path";
import { z } from "zod";
import { type Config, MALAMA_COMMAND } from "../config/mod.ts";
import { errorText } from "../log/mod.ts";
import {
  checkToolsetName,
  defineToolset,
  type Tool,
  type Toolset,
  type ToolsetContext,
  type ToolsetPermissions,
} from "../tool/mod.ts";
import type { Permissions } from "./deno_child.ts";
import { grantTable, missingGrants, readGrants } from "./grants.ts";
import { PluginHost } from "./plugin_host.ts";
import { PluginFailed } from "./plugin_process.ts";
import { changedModules, entryOf, fetchSource, type PinnedSource } from "./plugin_source.ts";
import { type LockedPlugin, PluginsLock } from "./plugins_lock.ts";
import type { PluginDescription } from "./plugin_wire.ts";
import { runnerFiles } from "./runner_bundle.ts";

/** A third party's toolset, usable or not. */
export interface PluginToolset {
  readonly toolset: Toolset;
  readonly from: string;
  /** As the config has it. */
  readonly granted: ToolsetPermissions;
  /** Why it cannot be used, a sentence; `null` when it can. */
  readonly problem: string | null;
  /** What it asks for beyond what it was granted, as a table to paste; `null` when that is nothing. */
  readonly table: string | null;
}

/** All of them. */
export interface Plugins {
  readonly toolsets: readonly PluginToolset[];
  /** Ends their processes. */
  close(): Promise<void>;
}

/** What they need of the house. */
export interface PluginOptions {
  readonly config: Pick<Config, "sections" | "dataDir" | "file" | "toolsets">;
  readonly env: (name: string) => string | undefined;
}

interface Declared {
  readonly from: string;
  readonly permissions?: ToolsetPermissions;
  readonly limits?: { readonly memory_mb?: number; readonly timeout_seconds?: number };
}

/** The names of `[toolsets.*]`. */
export function declaredPlugins({ sections }: Pick<Config, "sections">): Readonly<Record<string, Declared>> {
  return (sections.toolsets ?? {}) as Readonly<Record<string, Declared>>;
}

/** A toolset that is declared and cannot be used, or not yet. */
export function absentToolset(name: string, description = "A toolset that cannot be used now"): Toolset {
  return {
    name,
    description,
    crossCutting: false,
    entryOnly: false,
    permissions: {},
    settings: z.object({}),
    tools: () => [],
  };
}

/** Opens every toolset of the config. Nothing is thrown for one that is bad. */
export async function openPlugins(options: PluginOptions): Promise<Plugins> {
  const lock = new PluginsLock(options.config.dataDir);
  const hosts: PluginHost[] = [];
  const toolsets = await Promise.all(
    Object.entries(declaredPlugins(options.config)).map(async ([name, declared]): Promise<PluginToolset> => {
      const about = { from: declared.from, granted: declared.permissions ?? {} };
      try {
        // It names its folder too.
        checkToolsetName(name);
        const { locked, host, table } = await open(name, declared, lock, options);
        hosts.push(host);
        return { ...about, toolset: toolsetOf(name, declared, locked.description, host), problem: null, table };
      } catch (error) {
        return { ...about, toolset: absentToolset(name), problem: sentence(errorText(error)), table: null };
      }
    }),
  );
  return { toolsets, close: async () => void await Promise.all(hosts.map((host) => host.stop())) };
}

/**
 * Accepts a toolset as it is now: fetches it anew, has it describe itself and pins both. Gives its description, and what it
 * asks for beyond what it was granted. Throws what is wrong with it, each `message` a sentence.
 */
export async function acceptPlugin(
  name: string,
  options: PluginOptions,
): Promise<{ readonly description: PluginDescription; readonly table: string | null }> {
  const declared = declaredPlugins(options.config)[name];
  if (declared === undefined) {
    throw new PluginFailed(
      `There is no [toolsets.${name}] in ${options.config.file}: write it with where it comes from`,
    );
  }
  checkToolsetName(name);
  const { locked, host, table } = await install(name, declared, new PluginsLock(options.config.dataDir), options);
  await host.stop();
  return { description: locked.description, table };
}

interface Opened {
  readonly locked: LockedPlugin;
  readonly host: PluginHost;
  readonly table: string | null;
}

async function open(name: string, declared: Declared, lock: PluginsLock, options: PluginOptions): Promise<Opened> {
  const all = await lock.read();
  const locked = Object.hasOwn(all, name) ? all[name] : undefined;
  if (locked === undefined) return await install(name, declared, lock, options);
  const entry = await entryOf(declared.from, folderOf(options));
  if (locked.source.entry !== entry) {
    throw new PluginFailed(
      `It was accepted from ${locked.source.from} and now comes from ${declared.from}. ${accept(name)}`,
    );
  }
  await checkUnchanged(name, locked.source);
  const { host, permissions } = await hostFor(name, declared, locked.source, options);
  return { locked, host, table: await tableFor(name, declared, permissions, locked.description, options) };
}

async function install(name: string, declared: Declared, lock: PluginsLock, options: PluginOptions): Promise<Opened> {
  const { dataDir } = options.config;
  const entry = await entryOf(declared.from, folderOf(options));
  const cache = cacheOf(dataDir, name);
  // What is fetched is fetched as it is now, not as it was for an earlier try.
  await Deno.remove(cache, { recursive: true }).catch(() => {});
  const runner = await runnerFiles(runnerFolder(dataDir));
  const source = await fetchSource({ from: declared.from, entry, cache, runner }, options.env);
  const { host, permissions } = await hostFor(name, declared, source, options);
  try {
    const settings = options.config.toolsets[name] ?? {};
    const agent = { name: "assistant", isEntry: true, delegates: [], loadable: [], depth: 0 };
    const description = await host.describe({ settings, agent });
    const locked = { source, description };
    await lock.set(name, locked);
    return { locked, host, table: await tableFor(name, declared, permissions, description, options) };
  } catch (error) {
    await host.stop();
    throw error;
  }
}

/** What it asks for beyond what it was granted. */
async function tableFor(
  name: string,
  declared: Declared,
  granted: Permissions,
  { permissions: wanted }: PluginDescription,
  options: PluginOptions,
): Promise<string | null> {
  return grantTable(name, declared.permissions ?? {}, await missingGrants(wanted, granted, folderOf(options)));
}

async function hostFor(name: string, declared: Declared, source: PinnedSource, options: PluginOptions) {
  const { dataDir } = options.config;
  const { permissions, refused } = await readGrants(declared.permissions ?? {}, folderOf(options));
  const [first] = refused;
  if (first) throw new PluginFailed(`"${first.value}" cannot be granted as ${first.kind}: ${first.reason}`);
  const host = new PluginHost({
    name,
    entry: source.entry,
    permissions,
    modules: source.entry.startsWith("file:")
      ? source.modules.flatMap(({ name, path }) => isOwn(name) ? [path] : [])
      : [],
    hosts: source.hosts,
    memoryMb: declared.limits?.memory_mb ?? 256,
    cache: cacheOf(dataDir, name),
    check: () => checkUnchanged(name, source),
  }, { folder: runnerFolder(dataDir), env: options.env });
  return { host, permissions };
}

/** Whether a pinned module is in the toolset's own folder, and not in its cache. */
function isOwn(module: string): boolean {
  return !/^[a-z]+:/.test(module);
}

async function checkUnchanged(name: string, source: PinnedSource): Promise<void> {
  const changed = await changedModules(source);
  if (changed.length === 0) return;
  const which = changed.slice(0, 3).join(", ") + (changed.length > 3 ? " and more" : "");
  throw new PluginFailed(`It has changed since it was accepted (${which}). ${accept(name)}`);
}

function accept(name: string): string {
  return `Look at what it is now, then run: ${MALAMA_COMMAND} toolsets accept ${name}`;
}

function toolsetOf(name: string, declared: Declared, described: PluginDescription, host: PluginHost): Toolset {
  const { settings, tools, ...about } = described;
  const properties = typeof settings.properties === "object" && settings.properties !== null ? settings.properties : {};
  const most = declared.limits?.timeout_seconds ?? 60;
  return defineToolset({
    ...about,
    name,
    // Its process checks the values: it has the toolset's own schema.
    settings: Object.fromEntries(Object.keys(properties).map((key) => [key, z.unknown().optional()])),
    tools: (context) =>
      tools.map(({ spec, concurrent, timeoutSeconds }): Tool => ({
        spec,
        concurrent,
        timeoutMs: Math.min(most, timeoutSeconds) * 1000,
        check: (input) =>
          typeof input === "object" && input !== null && !Array.isArray(input)
            ? { ok: true, value: input }
            : { ok: false, problem: "The arguments have to be an object" },
        run: (input, call) => run(name, host, { tool: spec.name, input }, context, call),
      })),
  });
}

/** The whole check of the arguments is its process's: patterns of a stranger's schema are not tried in ours. */
async function run(
  name: string,
  host: PluginHost,
  { tool, input }: { readonly tool: string; readonly input: unknown },
  { settings, agent }: ToolsetContext,
  { signal, conversation, turn }: Parameters<Tool["run"]>[1],
) {
  try {
    const outcome = await host.call({ tool, input, settings, agent, conversation, turn }, signal);
    return "problem" in outcome ? outcome.problem : outcome.output;
  } catch (error) {
    if (!(error instanceof PluginFailed)) throw error;
    throw new PluginFailed(`The toolset "${name}" failed. ${sentence(error.message)}`);
  }
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

function folderOf({ config }: PluginOptions): string {
  return dirname(config.file);
}

function runnerFolder(dataDir: string): string {
  return join(dataDir, "plugins", "runner");
}

function cacheOf(dataDir: string, name: string): string {
  return join(dataDir, "plugins", "cache", encodeURIComponent(name));
}
