import { serveOperations } from "../../../../web/mod.ts";

export const handler = serveOperations({
  truncateConversation: ({ params, body: { turn }, state }) => state.assistant.conversations.truncate(params.id, turn),
});
