import { requireConversation, serveOperations } from "../../../../web/mod.ts";

export const handler = serveOperations({
  async stopTurn({ params, state: { assistant } }) {
    await requireConversation(assistant, params.id);
    return { stopped: await assistant.turns.stop(params.id) };
  },
});
