import { serveOperations } from "../../web/mod.ts";

export const handler = serveOperations({
  listModels: async ({ query, state }) => ({ items: await state.assistant.models({ all: query.all === "true" }) }),
});
