/**
 * The settings page: each value with where it comes from and which line of the file says so.
 *
 * @module
 */
import type { VNode } from "preact";
import { type SettingsView, type SettingView, splitSettingName } from "../../core/config/mod.ts";

export interface ShownSetting {
  /** The key within its section. */
  readonly name: string;
  readonly value: string;
  readonly origin: string;
  readonly set: boolean;
}

export interface ShownSection {
  readonly name: string;
  readonly settings: readonly ShownSetting[];
}

/** The settings by section, in their own order. `text` is the file, to name lines of it. */
export function settingSections(view: SettingsView, text: string): readonly ShownSection[] {
  const sections = new Map<string, ShownSetting[]>();
  for (const [full, setting] of Object.entries(view.values)) {
    const path = splitSettingName(full) ?? [full];
    const section = path.slice(0, -1).join(".");
    const name = path.at(-1) ?? full;
    const shown = {
      name,
      value: valueText(setting),
      origin: originText(setting, lineOf(text, section, name)),
      set: setting.source !== "default",
    };
    sections.set(section, [...sections.get(section) ?? [], shown]);
  }
  return [...sections].map(([name, settings]) => ({ name, settings }));
}

function valueText({ value }: SettingView): string {
  if (value === null || value === undefined) return "not set";
  if (typeof value === "string") return value === "" ? "empty" : value;
  if (Array.isArray(value)) {
    return value.length === 0 ? "none" : value.map((item) => valueText({ value: item } as SettingView)).join(", ");
  }
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

function originText(setting: SettingView, line: number | null): string {
  const lock = setting.locked ? "Locked. " : "";
  const when = setting.hot ? "" : ", read at the start";
  switch (setting.source) {
    case "file":
      return `${lock}config.toml${line === null ? "" : `, line ${line}`}${when}`;
    case "flag":
      return `${lock}From the command line${when}`;
    case "environment":
      return `${lock}From the environment${when}`;
    case "default":
      return `${lock}Default`;
    default:
      return setting.source satisfies never;
  }
}

/** The line, from 1, that sets a key: the first with its name after the head of its section. */
export function lineOf(text: string, section: string, name: string): number | null {
  let current = "";
  for (const [index, line] of text.split("\n").entries()) {
    const head = /^\s*\[\[?\s*([^\]]+?)\s*\]\]?/.exec(line);
    if (head) current = head[1]!.replace(/["'\s]/g, "");
    else if (current === section && /^\s*["']?([\w-]+)["']?\s*=/.exec(line)?.[1] === name) return index + 1;
  }
  return null;
}

export function SettingsSection({ section }: { section: ShownSection }): VNode {
  const id = `settings-${section.name.replace(/[^a-z0-9]+/gi, "-")}`;
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>
        <code>[{section.name}]</code>
      </h2>
      <dl class="settings">
        {section.settings.map((setting) => (
          <div key={setting.name} class={setting.set ? "set" : undefined}>
            <dt>{setting.name}</dt>
            <dd>
              <span class="value">{setting.value}</span>
              <span class="help">{setting.origin}</span>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
