/**
 * The settings as a toolset works with them.
 *
 * @module
 */
import type { SettingValue, Written } from "../config/mod.ts";
import { serviceKey } from "./services.ts";

/** What a toolset may do with the settings. */
export interface SettingsAccess {
  /**
   * The file as it is now without its secrets, `null` when there is none; and the patterns that lock settings. Throws
   * `ConfigError` when it is not TOML.
   */
  read(): Promise<{ readonly text: string | null; readonly locks: readonly string[] }>;
  /**
   * Writes settings into the file and takes up at once those that apply live. A text is read as the type the setting has.
   * Throws `ConfigError`, `SettingLocked`, `ConfigChanged`.
   */
  write(values: Readonly<Record<string, SettingValue | null>>, version?: string): Promise<Written>;
  /** A text as the type a setting has. Throws `ConfigError` on a setting there is none of, and on a table. */
  valueOf(name: string, text: string): SettingValue;
}

/** The settings, for toolsets. */
export const SETTINGS = serviceKey<SettingsAccess>("settings");
