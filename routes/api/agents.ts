import { serveOperations } from "../../web/operation_handler.ts";

export const handler = serveOperations({
  listAgents: ({ state }) => ({ items: state.assistant.agents() }),
});
