import { conversationMade, serveOperations } from "../../../../web/mod.ts";

export const handler = serveOperations({
  async branchConversation({ params, body: { turn }, state }) {
    return conversationMade("branchConversation", await state.assistant.conversations.branch(params.id, turn), state);
  },
});
