import { problem, RequestProblem, serveOperations } from "../../web/mod.ts";

export const handler = serveOperations({
  search: async ({ query, state }) => {
    if (query.mode === "meaning") {
      const detail = "Search by meaning needs embeddings, which are not set up: use mode=text";
      throw new RequestProblem(problem(409, "no-embeddings", "Not set up", detail));
    }
    return { items: await state.assistant.search(query.q, { limit: query.limit }) };
  },
});
