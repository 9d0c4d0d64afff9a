import { conversationMade, serveOperations } from "../../../web/mod.ts";

export const handler = serveOperations({
  listConversations({ query: { before, ...query }, state }) {
    // Times are compared as they are stored: in UTC, with milliseconds.
    const cursor = before === undefined ? {} : { before: new Date(before).toISOString() };
    return state.assistant.conversations.list({ ...query, ...cursor });
  },

  async createConversation({ body, state }) {
    return conversationMade("createConversation", await state.assistant.conversations.create(body), state);
  },
});
