import { serveOperations } from "../../../../web/mod.ts";

export const handler = serveOperations({
  restoreApprovalRule: ({ params, state: { assistant } }) => assistant.approvals.restore(params.id),
});
