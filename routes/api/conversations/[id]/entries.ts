import { requireConversation, serveOperations } from "../../../../web/mod.ts";

export const handler = serveOperations({
  async listEntries({ params, query, state: { assistant } }) {
    await requireConversation(assistant, params.id);
    return await assistant.log.entries(params.id, { ...query, all: query.all === "true" });
  },
});
