/**
 * Real configuration files in a folder of their own, for the tests of this room.
 *
 * @module
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { type Config, ConfigError, type ConfigSource, loadConfig } from "../../../core/config/mod.ts";

/** The least that loads: one agent. */
export const LEAST = "[agents.assistant]\n";

/** A folder that goes away with the test. */
export class ConfigFolder implements AsyncDisposable {
  private constructor(readonly root: string) {}

  static async make(): Promise<ConfigFolder> {
    return new ConfigFolder(await Deno.makeTempDir({ prefix: "malama-config-" }));
  }

  get file(): string {
    return join(this.root, "config.toml");
  }

  get source(): ConfigSource {
    return { root: this.root, file: this.file };
  }

  async write(text: string): Promise<this> {
    await Deno.writeTextFile(this.file, text);
    return this;
  }

  read(): Promise<string> {
    return Deno.readTextFile(this.file);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Deno.remove(this.root, { recursive: true });
  }
}

/** Loads the text as a file of its own. */
export async function configOf(text: string, source: Partial<ConfigSource> = {}): Promise<Config> {
  await using folder = await ConfigFolder.make();
  await folder.write(text);
  return await loadConfig({ ...folder.source, ...source });
}

/** The error of a text that must not load. */
export async function errorOf(text: string, source: Partial<ConfigSource> = {}): Promise<ConfigError> {
  try {
    await configOf(text, source);
  } catch (error) {
    assert.ok(error instanceof ConfigError, String(error));
    return error;
  }
  throw new assert.AssertionError({ message: `This loaded, and should not have:\n${text}` });
}

/** The faults of a text as `line: message`. */
export async function faultsOf(text: string, source: Partial<ConfigSource> = {}): Promise<readonly string[]> {
  return (await errorOf(text, source)).problems.map(({ line, message }) => `${line ?? "-"}: ${message}`);
}
