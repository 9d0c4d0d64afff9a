import { healthOf, serveOperations } from "../web/mod.ts";

export const handler = serveOperations({
  getHealth: ({ state }) => healthOf(state.assistant),
});
