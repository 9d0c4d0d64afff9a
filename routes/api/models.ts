import { serveOperations } from "../../web/operation_handler.ts";

export const handler = serveOperations({
  listModels: async ({ state }) => ({ items: await state.assistant.models() }),
});
