import { serveOperations } from "../../../../web/mod.ts";

export const handler = serveOperations({
  restoreMemory: ({ params, state }) => state.assistant.memories.restore(params.id),
});
