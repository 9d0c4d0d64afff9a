import { serveOperations } from "../../../../web/mod.ts";

export const handler = serveOperations({
  restoreConversation: ({ params, state }) => state.assistant.conversations.restore(params.id),
});
