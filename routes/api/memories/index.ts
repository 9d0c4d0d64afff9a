import { serveOperations } from "../../../web/mod.ts";

export const handler = serveOperations({
  listMemories: async ({ query, request, state }) => {
    const { memories } = state.assistant;
    const count = await memories.count();
    const { q, limit, before } = query;
    if (q !== undefined) {
      const items = await memories.search(q, { limit, signal: request.signal });
      return { items, next: null, count };
    }
    return { ...await memories.list({ limit, ...before !== undefined && { before } }), count };
  },

  addMemory: async ({ body, state }) => (await state.assistant.memories.add(body.text)).memory,
});
