/**
 * Writes the shipped example as somebody's first configuration (K-044).
 *
 * @module
 */
import { dirname } from "node:path";
import example from "../../config.example.toml" with { type: "text" };
import { ConfigError } from "./config_error.ts";
import { reason } from "./file.ts";
import type { ConfigLocation } from "./paths.ts";

/** The shipped example: every key, one line each. */
export const EXAMPLE_CONFIG: string = example;

/**
 * Writes the example, readable by its owner alone. Throws `ConfigError` when the file is there already (unless `force`), or
 * cannot be written.
 */
export async function scaffoldConfig(path: string, options: { readonly force?: boolean } = {}): Promise<void> {
  try {
    await Deno.mkdir(dirname(path), { recursive: true });
    const create = options.force ? { create: true } : { createNew: true };
    await Deno.writeTextFile(path, EXAMPLE_CONFIG, { mode: 0o600, ...create });
  } catch (error) {
    const message = error instanceof Deno.errors.AlreadyExists
      ? 'The file is there already: delete it first, or overwrite it with "--force"'
      : `The file cannot be written: ${reason(error)}`;
    throw new ConfigError(path, [{ message }], { cause: error });
  }
}

/**
 * Writes the example where the default file is missing, and says whether it did. A file somebody named is never written:
 * its name may be a slip.
 */
export async function writeExample(location: ConfigLocation): Promise<boolean> {
  if (location.named || await exists(location.file)) return false;
  await scaffoldConfig(location.file);
  return true;
}

async function exists(path: string): Promise<boolean> {
  try {
    await Deno.lstat(path);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw new ConfigError(path, [{ message: `The file cannot be read: ${reason(error)}` }], { cause: error });
  }
}
