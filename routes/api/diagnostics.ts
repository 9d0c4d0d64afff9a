import { serveOperations } from "../../web/operation_handler.ts";

export const handler = serveOperations({
  getDiagnostics: ({ state }) => state.assistant.diagnostics(),
});
