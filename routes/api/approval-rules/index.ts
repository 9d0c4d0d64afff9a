import { serveOperations } from "../../../web/mod.ts";

export const handler = serveOperations({
  listApprovalRules: async ({ query, state: { assistant } }) => ({
    items: await assistant.approvals.rules(query.conversation),
  }),
});
