import { json, serveOperations } from "../../../web/operation_handler.ts";

export const handler = serveOperations({
  listConversations: ({ query, state }) => state.assistant.conversations.list(query),

  async createConversation({ body, state }) {
    const made = await state.assistant.conversations.create(body);
    return json("createConversation", made, {
      location: `${state.services.basePath}/api/conversations/${made.id}`,
    });
  },
});
