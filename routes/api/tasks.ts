import { serveOperations } from "../../web/mod.ts";

export const handler = serveOperations({
  listTasks: () => ({ items: [] }),
});
