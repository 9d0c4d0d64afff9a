import { healthOf } from "../web/health.ts";
import { serveOperations } from "../web/operation_handler.ts";

export const handler = serveOperations({
  getHealth: ({ state }) => healthOf(state.assistant),
});
