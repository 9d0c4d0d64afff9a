/**
 * Where a third party's toolset comes from: its modules, fetched into a cache of its own, and what they were when a person
 * accepted them.
 *
 * Invariants (tests/core/sandbox/plugin_source_test.ts)
 * 1. Every module is pinned: one that changes, is added or goes changes the hash of the whole.
 * 2. A toolset in a folder has all of its modules in that folder, where their links lead: an import of anything else of this
 *    machine is refused, since what is imported can be read.
 * 3. Nothing of it is run here.
 * 4. A server that does not go on answering holds nobody for longer than `FETCH_SECONDS`.
 *
 * @module
 */
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { z } from "zod";
import { makeChildFolder } from "./deno_child.ts";
import { startGroup } from "./process_group.ts";
import type { RunnerFiles } from "./runner_bundle.ts";

/** The modules of a toolset as they were pinned. */
export const pinnedSource = z.object({
  /** As the config has it. */
  from: z.string(),
  /** Address of its first module. */
  entry: z.string(),
  /** Of all that follows. */
  hash: z.string(),
  modules: z.array(z.object({ name: z.string(), path: z.string(), hash: z.string() })),
  /** Packages of npm with their versions. */
  packages: z.array(z.string()),
  /** `host:port` that modules came from. */
  hosts: z.array(z.string()),
});

/** The modules of a toolset as they were pinned. */
export type PinnedSource = z.output<typeof pinnedSource>;

/** A toolset cannot be fetched or read; `message` says why. */
export class BadSource extends Error {
  override readonly name = "BadSource";
}

/** What `deno info --json` says, as far as it is read here. */
const moduleGraph = z.object({
  modules: z.array(z.object({
    specifier: z.string(),
    local: z.string().nullish(),
    error: z.string().nullish(),
    kind: z.string().nullish(),
  })),
  npmPackages: z.record(z.string(), z.unknown()).default({}),
});

/** How long fetching may take, in seconds: a start of Malama waits for it. */
const FETCH_SECONDS = 60;

/** Variables that decide how modules are fetched. */
const FETCHING = [
  "PATH",
  "HTTP_PROXY",
  "HTTPS_PROXY",
  "NO_PROXY",
  "http_proxy",
  "https_proxy",
  "no_proxy",
  "DENO_CERT",
  "DENO_TLS_CA_STORE",
  "SSL_CERT_FILE",
  "SSL_CERT_DIR",
  "NODE_EXTRA_CA_CERTS",
  "NPM_CONFIG_REGISTRY",
  "JSR_URL",
];

/** Address of the first module; a path starts at `folder`, that of the config file. Throws `BadSource`. */
export async function entryOf(from: string, folder: string): Promise<string> {
  if (!/^\.{0,2}\//.test(from)) return from;
  const path = resolve(folder, from);
  try {
    const real = await Deno.realPath(path);
    const entry = (await Deno.stat(real)).isDirectory ? await Deno.realPath(join(real, "mod.ts")) : real;
    return pathToFileURL(entry).href;
  } catch {
    throw new BadSource(`There is no toolset at ${path}: name its first module, or a folder with a mod.ts in it`);
  }
}

/** Fetches a toolset into `cache` and gives what it is made of. Throws `BadSource`. */
export async function fetchSource(
  { from, entry, cache, runner, seconds = FETCH_SECONDS }: {
    readonly from: string;
    readonly entry: string;
    readonly cache: string;
    readonly runner: RunnerFiles;
    /** Tests shorten it. */
    readonly seconds?: number;
  },
  env: (name: string) => string | undefined,
): Promise<PinnedSource> {
  await makeChildFolder(cache);
  const variables = FETCHING.flatMap((name) => {
    const value = env(name);
    return value === undefined ? [] : [[name, value] as const];
  });
  const deno = async (...args: readonly string[]) => {
    const { child, ended } = startGroup({
      command: Deno.execPath(),
      args: [...args, "--quiet", "--no-config", "--no-lock", `--import-map=${runner.importMap}`, entry],
      cwd: cache,
      env: { ...Object.fromEntries(variables), DENO_DIR: cache, HOME: "/nonexistent", NO_COLOR: "1" },
      stdin: "null",
    }, { seconds });
    const [end, stdout, stderr] = await Promise.all([
      ended,
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
    ]);
    if (end.how === "time") throw new BadSource(`It could not be fetched within ${seconds} seconds`);
    if (end.how !== "exit" || end.code !== 0) throw new BadSource(`It could not be fetched: ${oneLine(stderr)}`);
    return stdout;
  };
  await deno("cache");
  const graph = moduleGraph.parse(JSON.parse(await deno("info", "--json")));
  const isLocal = entry.startsWith("file:");
  const home = isLocal ? dirname(fileURLToPath(entry)) : null;
  const own = graph.modules.filter(({ specifier }) => specifier !== pathToFileURL(runner.runner).href);
  const modules = await Promise.all(own.flatMap((module) => {
    if (module.error) throw new BadSource(`It could not be fetched: ${oneLine(module.error)}`);
    return module.local ? [pinned(module.specifier, module.local, home)] : [];
  }));
  modules.sort((one, other) => one.name < other.name ? -1 : 1);
  const packages = Object.keys(graph.npmPackages).sort();
  const hosts = [...new Set(own.flatMap(({ specifier }) => hostOf(specifier)))].sort();
  return { from, entry, hash: await hashOf(modules, packages), modules, packages, hosts };
}

/** The names of modules that are not as they were pinned. */
export async function changedModules({ modules }: Pick<PinnedSource, "modules">): Promise<readonly string[]> {
  const now = await Promise.all(modules.map(async ({ name, path, hash }) => {
    const isSame = await Deno.readFile(path).then(async (bytes) => await sha256(bytes) === hash, () => false);
    return isSame ? [] : [name];
  }));
  return now.flat();
}

async function pinned(specifier: string, local: string, home: string | null) {
  const hash = async (path: string) => await sha256(await Deno.readFile(path));
  if (!specifier.startsWith("file:")) return { name: specifier, path: local, hash: await hash(local) };
  const path = await Deno.realPath(local);
  const name = home === null ? null : relative(home, path);
  if (name === null || name.startsWith("..")) {
    throw new BadSource(`It imports ${local}, which is outside of its folder: only what is in it may be imported`);
  }
  if (path !== local || path.includes(",")) {
    throw new BadSource(`It imports ${local}: a module may be no link, and have no comma in its path`);
  }
  return { name, path, hash: await hash(path) };
}

function hostOf(specifier: string): readonly string[] {
  if (!/^https?:/.test(specifier)) return [];
  const { hostname, port, protocol } = new URL(specifier);
  return [`${hostname}:${port || (protocol === "https:" ? "443" : "80")}`];
}

async function hashOf(modules: PinnedSource["modules"], packages: readonly string[]): Promise<string> {
  const lines = [...modules.map(({ name, hash }) => `${hash} ${name}`), ...packages];
  return await sha256(new TextEncoder().encode(lines.join("\n")));
}

async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex();
}

function oneLine(text: string): string {
  return text.trim().replaceAll(/\s+/g, " ").slice(0, 400);
}
