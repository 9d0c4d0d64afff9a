import { serveOperations } from "../../web/operation_handler.ts";

export const handler = serveOperations({
  listApprovals: () => ({ items: [] }),
});
