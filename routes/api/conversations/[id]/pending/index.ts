import { serveOperations } from "../../../../../web/mod.ts";

export const handler = serveOperations({
  async listPending({ params, state: { assistant } }) {
    return { items: await assistant.turns.pending(params.id) };
  },
});
