import { settingsView } from "../../core/config/mod.ts";
import { serveOperations } from "../../web/mod.ts";

export const handler = serveOperations({
  getSettings: ({ state }) => settingsView(state.assistant.config, (name) => Deno.env.get(name)),
});
