/**
 * The configuration in force, and the one way to change it while Malama runs: for the assistant's own tools, the page and
 * programs alike (K-037, K-038).
 *
 * Invariant: what is in force changes only after the file holds it (tests/core/live_settings_test.ts).
 *
 * @module
 */
import {
  type Config,
  type ConfigSource,
  locksInForce,
  valueFromText,
  withHotSettings,
  writeSettings,
} from "./config/mod.ts";
import { CORE, type SettingsAccess, type Toolset } from "./tool/mod.ts";
import { declarationProblems } from "./declared.ts";

/** The settings, and the configuration as it is in force now. */
export interface LiveSettings extends SettingsAccess {
  readonly config: Config;
}

/** Makes it for a configuration that was loaded with these toolsets. */
export function liveSettings(config: Config, toolsets: readonly Toolset[]): LiveSettings {
  let current = config;
  const own = Object.fromEntries(
    toolsets.filter(({ name }) => name !== CORE).map(({ name, settings }) => [name, settings]),
  );
  const source: ConfigSource = {
    file: config.file,
    root: config.root,
    toolsets: own,
    // The whole file as it would become has to be one that Malama starts with (K-038).
    checks: [(becoming) => declarationProblems(becoming, toolsets)],
  };
  return {
    get config() {
      return current;
    },
    async read() {
      const text = await Deno.readTextFile(config.file).catch((error) => {
        if (error instanceof Deno.errors.NotFound) return null;
        throw error;
      });
      return { text, locks: locksInForce(current) };
    },
    async write(values, version) {
      const written = await writeSettings(source, values, version === undefined ? {} : { version });
      current = withHotSettings(current, written.config);
      return written;
    },
    valueOf: (name, text) => valueFromText(config.file, own, name, text),
  };
}
