import { serveOperations } from "../../web/operation_handler.ts";

export const handler = serveOperations({
  getUsage: async ({ query, state }) => ({ items: await state.assistant.usage(query.by) }),
});
