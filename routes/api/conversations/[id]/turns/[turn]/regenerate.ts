import { serveOperations } from "../../../../../../web/mod.ts";

export const handler = serveOperations({
  regenerateTurn({ params, body: { model, thinking }, state: { assistant } }) {
    return assistant.turns.regenerate(params.id, params.turn, {
      ...model !== undefined && { model },
      ...thinking !== undefined && { thinking },
    });
  },
});
