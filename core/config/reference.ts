/**
 * The reference of all settings as Markdown, made from the schema: what `docs/configuration.md` holds between its markers.
 *
 * @module
 */
import { defaultOf, type KeyRule, type SectionRule } from "./key_rule.ts";
import { SECTIONS } from "./sections/mod.ts";
import { tomlValue } from "./toml_value.ts";
import { typeText } from "./type_text.ts";

/** A table for each section. Keys marked `hot` apply on the next use, all others after a restart. */
export function configurationReference(): string {
  return SECTIONS.filter((rule) => rule.like === undefined || Object.keys(ownKeys(rule)).length > 0)
    .map(sectionText).join("\n");
}

function sectionText(rule: SectionRule): string {
  const title = rule.list ? `[[${rule.name}]]` : `[${rule.name}]`;
  const lines = [`### \`${title}\``, "", `${rule.about}.`, ""];
  if (rule.like !== undefined) lines.push(`Besides these, every key and table of \`[${rule.like}]\`.`, "");
  const rows = Object.entries(ownKeys(rule)).map(([name, key]) => row(`\`${name}\``, key));
  if (rule.each) rows.push(row("*any name*", rule.each));
  if (rows.length > 0) lines.push("| key | must be | default | meaning |", "| --- | --- | --- | --- |", ...rows, "");
  return lines.join("\n");
}

/** Without the keys that another section explains. */
function ownKeys(rule: SectionRule): Readonly<Record<string, KeyRule>> {
  const other = SECTIONS.find((candidate) => candidate.name === rule.like);
  return Object.fromEntries(Object.entries(rule.keys).filter(([name, key]) => other?.keys[name] !== key));
}

function row(name: string, key: KeyRule): string {
  const needed = !key.schema.safeParse(undefined).success;
  const value = defaultOf(key);
  const standard = value !== undefined ? `\`${tomlValue(value)}\`` : needed ? "*needed*" : "–";
  return `| ${
    [name, cell(typeText(key.schema)), cell(standard), cell(key.meaning) + (key.hot ? " (hot)" : "")].join(" | ")
  } |`;
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("\n", " ");
}
