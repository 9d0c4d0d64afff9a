import { serveOperations } from "../../../web/mod.ts";

export const handler = serveOperations({
  listDocuments: async ({ query, state }) => {
    const { q, limit, under, after } = query;
    if (q !== undefined) return { items: await state.assistant.documents.search(q, { limit }), next: null };
    return await state.assistant.documents.list({
      limit,
      ...under !== undefined && { under },
      ...after !== undefined && { after },
    });
  },
});
