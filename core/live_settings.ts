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
  ConfigError,
  ConfigMissing,
  type ConfigSource,
  locksInForce,
  readConfigFile,
  shownText,
  valueFromText,
  withHotSettings,
  writeSettings,
} from "./config/mod.ts";
import { BadModelString, missingKey } from "./model/mod.ts";
import { CORE, type SettingsAccess, type Toolset } from "./tool/mod.ts";
import { declarationProblems } from "./declared.ts";

/** The settings, and the configuration as it is in force now. */
export interface LiveSettings extends SettingsAccess {
  readonly config: Config;
}

/** Makes it for a configuration that was loaded with these toolsets. `env` says which keys of providers there are. */
export function liveSettings(
  config: Config,
  toolsets: readonly Toolset[],
  env: (name: string) => string | undefined,
): LiveSettings {
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
      const file = await readConfigFile(config.file, true).catch((error) => {
        if (error instanceof ConfigMissing) return null;
        throw error;
      });
      return { text: file === null ? null : shownText(config.file, file.text), locks: locksInForce(current) };
    },
    async write(values, version) {
      refuseDeadModel(config.file, values["assistant.model"], env);
      const written = await writeSettings(source, values, version === undefined ? {} : { version });
      current = withHotSettings(current, written.config);
      return written;
    },
    valueOf: (name, text) => valueFromText(config.file, own, name, text),
  };
}

/** A default model that cannot be asked here would keep Malama from starting (K-038). What is no model string is told later. */
function refuseDeadModel(file: string, model: unknown, env: (name: string) => string | undefined): void {
  if (typeof model !== "string") return;
  try {
    const variable = missingKey(model, env);
    if (variable === null) return;
    const message = `"${model}" cannot be asked here: ${variable} is not set in the environment`;
    throw new ConfigError(file, [{ message, section: "assistant", key: "model" }]);
  } catch (error) {
    if (!(error instanceof BadModelString)) throw error;
  }
}
