/**
 * Malama's own settings (K-034, K-037 to K-040, K-170).
 *
 * @module
 */
import { defineToolset, tool, z } from "malama";
import { ConfigChanged, ConfigError, SettingLocked } from "../core/config/mod.ts";
import { SETTINGS } from "../core/tool/mod.ts";

/** `config`: reads and changes the settings. */
export const config = defineToolset({
  name: "config",
  description: "Reading and changing Malama's own settings",
  crossCutting: true,
  tools: () => [
    tool({
      name: "read_config",
      description: "Gives the configuration file, with which settings are locked.",
      input: z.object({}),
      async run(_input, { service }) {
        try {
          const { text, locks } = await service(SETTINGS).read();
          const banner = [
            `# Locked against changes by you: ${locks.join(", ")}.`,
            "# The list of locks itself is always locked. Tasks are changed with the scheduling tools.",
          ].join("\n");
          const file = text === null ? "There is no file: every setting is at its default." : `\n${text}`;
          return `${banner}\n${file}`;
        } catch (error) {
          if (!(error instanceof ConfigError)) throw error;
          return `The file cannot be shown: ${error.message}. The person has to mend it by hand.`;
        }
      },
    }),

    tool({
      name: "update_config",
      description: "Changes one setting in the configuration file, and says whether it applies now or after a restart.",
      input: z.object({
        section: z.string().describe('The table, such as "assistant" or "planning"'),
        key: z.string().describe('The key in it, such as "generate_titles"'),
        value: z.string().describe("The value as text; lists parted by commas"),
      }),
      concurrent: false,
      async run({ section, key, value }, { service }) {
        const settings = service(SETTINGS);
        const name = `${section.trim()}.${key.trim()}`;
        try {
          const { applied } = await settings.write({ [name]: settings.valueOf(name, value) });
          return applied.includes(name)
            ? `${name} is now ${value}, and it applies already.`
            : `${name} is saved as ${value}. It takes effect after a restart of Malama: tell the person so.`;
        } catch (error) {
          if (!(error instanceof ConfigError)) throw error;
          return `Nothing was changed. ${why(error)}`;
        }
      },
    }),
  ],
});

function why(error: ConfigError): string {
  const problems = `${error.problems.map((problem) => place(problem) + problem.message).join("; ")}.`;
  if (error instanceof SettingLocked || error instanceof ConfigChanged) return problems;
  return `${problems} The whole file is checked: the fault may lie in another table.`;
}

function place({ section, key }: { readonly section?: string; readonly key?: string }): string {
  return section === undefined ? "" : `[${section}]${key === undefined ? "" : `.${key}`} `;
}
