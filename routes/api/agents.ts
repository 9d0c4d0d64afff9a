import { serveOperations } from "../../web/mod.ts";

export const handler = serveOperations({
  listAgents: ({ state }) => ({ items: state.assistant.agents() }),
});
