import { serveOperations } from "../../web/operation_handler.ts";

export const handler = serveOperations({
  listToolsets: ({ state }) => ({ items: state.assistant.toolsets() }),
});
