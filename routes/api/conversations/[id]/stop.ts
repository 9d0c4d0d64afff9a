import { requireConversation } from "../../../../web/conversation_request.ts";
import { serveOperations } from "../../../../web/operation_handler.ts";

export const handler = serveOperations({
  async stopTurn({ params, state: { assistant } }) {
    await requireConversation(assistant, params.id);
    return { stopped: await assistant.turns.stop(params.id) };
  },
});
