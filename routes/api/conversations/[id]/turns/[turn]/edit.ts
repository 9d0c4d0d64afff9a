import { serveOperations } from "../../../../../../web/mod.ts";

export const handler = serveOperations({
  editTurn({ params, body, state: { assistant } }) {
    return assistant.turns.edit(params.id, params.turn, body.text);
  },
});
