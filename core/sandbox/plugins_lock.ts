/**
 * `plugins.lock` in the data folder: which toolsets of third parties were accepted, and as what; with each, how it describes
 * itself, so that a start needs no process of it.
 *
 * Invariants (tests/core/sandbox/plugin_toolsets_test.ts)
 * 1. A lock that cannot be read is never overwritten: what a person accepted is not forgotten by accident.
 * 2. Two writers at once lose nothing of each other's, as long as they are in one process.
 *
 * @module
 */
import { join } from "node:path";
import { z } from "zod";
import { pinnedSource } from "./plugin_source.ts";
import { pluginDescription } from "./plugin_wire.ts";

const lockedPlugin = z.object({ source: pinnedSource, description: pluginDescription });
const lockFile = z.object({ version: z.literal(1), toolsets: z.record(z.string(), lockedPlugin) });

/** A toolset that was accepted. */
export type LockedPlugin = z.output<typeof lockedPlugin>;

/** The lock cannot be read; `message` says what to do. */
export class BadLock extends Error {
  override readonly name = "BadLock";
}

/** The lock of one data folder. */
export class PluginsLock {
  readonly #file: string;
  #last: Promise<unknown> = Promise.resolve();

  constructor(dataDir: string) {
    this.#file = join(dataDir, "plugins.lock");
  }

  /** All of it. Throws `BadLock`. */
  async read(): Promise<Readonly<Record<string, LockedPlugin>>> {
    let text: string;
    try {
      text = await Deno.readTextFile(this.#file);
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return {};
      throw error;
    }
    try {
      return lockFile.parse(JSON.parse(text)).toolsets;
    } catch {
      throw new BadLock(
        `${this.#file} cannot be read: put it right, or move it away and accept your toolsets anew`,
      );
    }
  }

  /** Keeps one toolset. Throws `BadLock`. */
  set(name: string, locked: LockedPlugin): Promise<void> {
    const writing = this.#last.catch(() => {}).then(async () => {
      const toolsets = { ...await this.read(), [name]: locked };
      const half = `${this.#file}.${crypto.randomUUID()}`;
      await Deno.writeTextFile(half, `${JSON.stringify({ version: 1, toolsets }, null, 2)}\n`, { mode: 0o600 });
      await Deno.rename(half, this.#file);
    });
    this.#last = writing;
    return writing;
  }
}
