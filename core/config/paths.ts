/**
 * Where things live: three locations resolve before the file can be read, everything else derives from them (K-011, K-012).
 *
 * @module
 */
import { isAbsolute, join, resolve } from "node:path";

/** Reads an environment variable. */
export type Environment = (name: string) => string | undefined;

/** The root folder and the one file that is read. */
export interface ConfigLocation {
  /** `$MALAMA_HOME`, or `~/.malama`. */
  readonly root: string;
  /** `--config`, else `$MALAMA_CONFIG`, else `<root>/config.toml`; absolute. */
  readonly file: string;
  /** Whether a person named the file; a missing named file is an error at once, a missing default one can be written. */
  readonly named: boolean;
}

/** What decides where the configuration is. */
export interface LocateOptions {
  /** The value of `--config`. */
  readonly flag?: string;
  readonly env: Environment;
  /** Where a relative path starts; the working directory by default. */
  readonly cwd?: string;
}

/** Says where the configuration is, without touching the disk. An empty variable counts as unset. */
export function locateConfig(options: LocateOptions): ConfigLocation {
  const from = options.cwd ?? Deno.cwd();
  const root = rootFolder(options.env, from);
  const named = options.flag || options.env("MALAMA_CONFIG") || undefined;
  return { root, file: named ? resolve(from, named) : join(root, "config.toml"), named: named !== undefined };
}

function rootFolder(env: Environment, from: string): string {
  const chosen = env("MALAMA_HOME");
  if (chosen) return resolve(from, chosen);
  return join(resolve(from, env("HOME") || env("USERPROFILE") || "."), ".malama");
}

/** The data folder: `[paths].data_dir` where it is set, else `<root>/data`. */
export function dataFolder(root: string, configured?: string): string {
  return configured ?? join(root, "data");
}

/** Whether the path starts at a root; a relative data folder would move with the working directory. */
export function isAbsolutePath(path: string): boolean {
  return isAbsolute(path);
}
