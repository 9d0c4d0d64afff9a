import { serveOperations } from "../../../web/mod.ts";

export const handler = serveOperations({
  listApprovals: ({ state: { assistant } }) => ({ items: assistant.approvals.waiting() }),
});
