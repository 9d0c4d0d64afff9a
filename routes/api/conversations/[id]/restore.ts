import { serveOperations } from "../../../../web/operation_handler.ts";

export const handler = serveOperations({
  restoreConversation: ({ params, state }) => state.assistant.conversations.restore(params.id),
});
