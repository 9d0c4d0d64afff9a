import { conversationMade, serveOperations } from "../../../../web/mod.ts";

export const handler = serveOperations({
  async duplicateConversation({ params, state }) {
    return conversationMade("duplicateConversation", await state.assistant.conversations.duplicate(params.id), state);
  },
});
