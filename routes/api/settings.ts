import { settingsView, type SettingValue } from "../../core/config/mod.ts";
import { serveOperations } from "../../web/mod.ts";

export const handler = serveOperations({
  getSettings: ({ state }) => settingsView(state.assistant.config, (name) => Deno.env.get(name)),

  updateSettings: async ({ body, state }) => {
    // What TOML cannot hold is refused where it is written.
    const values = body.values as Readonly<Record<string, SettingValue | null>>;
    const { applied, restart, version } = await state.assistant.settings.write(values, body.version);
    return { applied, restart, version };
  },
});
