import { serveOperations } from "../../web/mod.ts";

export const handler = serveOperations({
  getDiagnostics: ({ state }) => state.assistant.diagnostics(),
});
