import { serveOperations } from "../../../../../../web/mod.ts";

export const handler = serveOperations({
  changePending({ params, body, state: { assistant } }) {
    return assistant.turns.editPending(params.id, params.message, body.text);
  },
  takePending({ params, state: { assistant } }) {
    return assistant.turns.takePending(params.id, params.message);
  },
});
