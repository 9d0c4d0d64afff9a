import { requireConversation } from "../../../../web/conversation_request.ts";
import { serveOperations } from "../../../../web/operation_handler.ts";

export const handler = serveOperations({
  async listEntries({ params, query, state: { assistant } }) {
    await requireConversation(assistant, params.id);
    return await assistant.log.entries(params.id, { ...query, all: query.all === "true" });
  },
});
