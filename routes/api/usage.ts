import { serveOperations } from "../../web/mod.ts";

export const handler = serveOperations({
  getUsage: async ({ query, state }) => ({ items: await state.assistant.usage(query.by) }),
});
