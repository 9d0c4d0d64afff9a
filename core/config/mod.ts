/** Configuration: paths, the schema of every key, loading, and comment-preserving writes. */
export * from "./config.ts";
export { agentNameFault, isLoopback } from "./checks.ts";
export {
  ConfigChanged,
  ConfigError,
  ConfigMissing,
  type ConfigProblem,
  problemLine,
  SettingLocked,
} from "./config_error.ts";
export { readConfigFile } from "./file.ts";
export type { ConfigFlags } from "./flags.ts";
export type { KeyRule, SectionRule, SectionValues } from "./key_rule.ts";
export { withHotSettings } from "./hot.ts";
export { valueFromText } from "./text_value.ts";
export { type ConfigCheck, type ConfigSource, loadConfig } from "./load.ts";
export { LOCK_LIST, lockFor } from "./locks.ts";
export { type ConfigLocation, type Environment, locateConfig, type LocateOptions } from "./paths.ts";
export { commandName, MALAMA_COMMAND } from "./command.ts";
export { configurationReference } from "./reference.ts";
export { EXAMPLE_CONFIG, scaffoldConfig, writeExample } from "./scaffold.ts";
export type { ToolsetSettings } from "./schema.ts";
export { joinSettingName, splitSettingName } from "./setting_name.ts";
export { hotSettings, locksInForce, sectionOf, type SettingsView, settingsView, type SettingView } from "./settings.ts";
export { shownText } from "./shown_text.ts";
export { nearest } from "./nearest.ts";
export type { SettingValue } from "./toml_value.ts";
export { removeSetting, type WriteOptions, writeSettings, type Written } from "./write.ts";
export * as sections from "./sections/mod.ts";
