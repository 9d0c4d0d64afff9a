import { serveOperations } from "../../../../web/mod.ts";

export const handler = serveOperations({
  async continueTurn({ params, state: { assistant } }) {
    const turn = await assistant.turns.resume(params.id);
    return { turn: turn.id };
  },
});
