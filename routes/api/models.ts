import { serveOperations } from "../../web/mod.ts";

export const handler = serveOperations({
  listModels: async ({ state }) => ({ items: await state.assistant.models() }),
});
