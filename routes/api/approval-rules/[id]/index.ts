import { serveOperations } from "../../../../web/mod.ts";

export const handler = serveOperations({
  revokeApprovalRule: ({ params, state: { assistant } }) => assistant.approvals.revoke(params.id),
});
