import { serveOperations } from "../../web/mod.ts";

export const handler = serveOperations({
  listToolsets: ({ state }) => ({ items: state.assistant.toolsets() }),
});
