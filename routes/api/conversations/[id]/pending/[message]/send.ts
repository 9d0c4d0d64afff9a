import { serveOperations } from "../../../../../../web/mod.ts";

export const handler = serveOperations({
  sendPending({ params, state: { assistant } }) {
    return assistant.turns.sendPending(params.id, params.message);
  },
});
