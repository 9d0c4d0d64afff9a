/**
 * The runner of third parties' toolsets as one file, made when it is first wanted and kept until the program changes.
 *
 * Invariants (tests/core/sandbox/runner_bundle_test.ts)
 * 1. It has all that the library's face has, and imports no file.
 * 2. A half-written one is never used: it gets its name when it is whole.
 *
 * @module
 */
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const HOUSE = new URL("../../", import.meta.url);

/** The folders whose files go into the bundle. */
const SOURCES = ["core/tool/", "core/log/error_text.ts", "core/sandbox/runner/", "deno.json"];

/** Where the runner and the import map that makes it "malama" are. */
export interface RunnerFiles {
  readonly runner: string;
  readonly importMap: string;
}

const made = new Map<string, Promise<RunnerFiles>>();

/** The runner, bundled into `folder`. Throws when it cannot be made; the next call tries again. */
export function runnerFiles(folder: string): Promise<RunnerFiles> {
  const known = made.get(folder);
  if (known) return known;
  const making = make(folder);
  made.set(folder, making);
  making.catch(() => made.delete(folder));
  return making;
}

async function make(folder: string): Promise<RunnerFiles> {
  await Deno.mkdir(folder, { recursive: true, mode: 0o700 });
  const runner = join(folder, `plugin_runner-${await sourceHash()}.js`);
  const importMap = `${runner}.map.json`;
  if (await isThere(importMap)) return { runner, importMap };
  const half = `${runner}.${crypto.randomUUID()}`;
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--quiet",
      "-A",
      "--unstable-bundle",
      fileURLToPath(new URL("./runner/bundle.ts", import.meta.url)),
      half,
    ],
    cwd: fileURLToPath(HOUSE),
    stdout: "null",
    stderr: "piped",
  }).output();
  if (!success) throw new Error(`The runner of toolsets could not be made: ${new TextDecoder().decode(stderr).trim()}`);
  await Deno.rename(half, runner);
  await Deno.writeTextFile(half, JSON.stringify({ imports: { malama: pathToFileURL(runner).href } }));
  await Deno.rename(half, importMap);
  return { runner, importMap };
}

/** Of everything the bundle is made from. */
async function sourceHash(): Promise<string> {
  const texts: string[] = [Deno.version.deno];
  const read = async (address: URL) => {
    if (!address.pathname.endsWith("/")) return void texts.push(await Deno.readTextFile(address));
    for await (const { name, isFile } of Deno.readDir(address)) if (isFile) await read(new URL(name, address));
  };
  for (const source of SOURCES) await read(new URL(source, HOUSE));
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(texts.sort().join("\0")));
  return new Uint8Array(digest).toHex().slice(0, 16);
}

async function isThere(path: string): Promise<boolean> {
  return await Deno.stat(path).then(() => true, () => false);
}
