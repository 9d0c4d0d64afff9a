/**
 * From the command line to a configuration and an assistant, the same way for every command.
 *
 * @module
 */
import { type Assistant, createAssistant, declarationProblems, type Report } from "../core/assistant.ts";
import { type Config, type ConfigCheck, loadConfig, locateConfig, writeExample } from "../core/config/mod.ts";
import { CORE } from "../core/tool/mod.ts";
import { builtInToolsets } from "../toolsets/mod.ts";
import type { Flags } from "./command_line.ts";
import { keyFault } from "./model_key.ts";
import { Mistake } from "./mistake.ts";
import type { Surroundings } from "./surroundings.ts";

/** The settings of every installed toolset, by name, so that their sections of the file are known. */
export function toolsetSettings() {
  // The loop's own is nobody's to configure.
  return Object.fromEntries(
    builtInToolsets.filter(({ name }) => name !== CORE).map(({ name, settings }) => [name, settings]),
  );
}

/** Checks what the config room cannot know: which toolsets there are, and how a model string reads. */
export const toolsAndModels: ConfigCheck = (config) => declarationProblems(config, builtInToolsets);

/**
 * Reads the configuration, flags over file. With `scaffold`, a default file that is missing is written from the example
 * first, and that is said on stderr. Throws `ConfigError`.
 */
export async function loadStartConfig(
  flags: Flags,
  { env, cwd, stderr }: Surroundings,
  { scaffold = false } = {},
): Promise<Config> {
  const location = locateConfig({ flag: flags.config, env, cwd });
  if (scaffold && await writeExample(location)) {
    stderr(`There was no configuration yet: wrote ${location.file}\n`);
  }
  const { model, system, host, port, frontend } = flags;
  const config = await loadConfig({
    ...location,
    flags: { model, system, host, port, frontend },
    toolsets: toolsetSettings(),
    checks: [toolsAndModels],
  });
  for (const warning of config.warnings) stderr(`Note: ${warning}\n`);
  return config;
}

/** Opens the store and builds the assistant; the model is known once `started` resolves. */
export async function buildAssistant(
  config: Config,
  flags: Flags,
  { env, now, version }: Surroundings,
  report?: Report,
): Promise<Assistant> {
  return await createAssistant({
    config,
    version,
    toolsets: builtInToolsets,
    env,
    now,
    report,
    model: flags.model,
    system: flags.system,
  });
}

/**
 * Waits until the assistant is ready. Throws `Mistake` with status 1 when its model cannot start: a bad `MALAMA_MODEL`, or a
 * provider whose key is not set.
 */
export async function awaitModel(assistant: Assistant, { env }: Surroundings): Promise<void> {
  await assistant.started;
  const fault = keyFault(assistant.defaultModel.string, env);
  if (fault !== null) throw new Mistake(fault, 1);
}
