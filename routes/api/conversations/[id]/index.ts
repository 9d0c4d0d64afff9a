import { serveOperations } from "../../../../web/mod.ts";

export const handler = serveOperations({
  getConversation: ({ params, state }) => state.assistant.conversations.get(params.id),

  updateConversation: ({ params, body, state }) => state.assistant.conversations.update(params.id, body),

  deleteConversation: ({ params, state }) => state.assistant.conversations.delete(params.id),
});
