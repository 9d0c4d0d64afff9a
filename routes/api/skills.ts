import { serveOperations } from "../../web/operation_handler.ts";

export const handler = serveOperations({
  listSkills: () => ({ items: [] }),
});
