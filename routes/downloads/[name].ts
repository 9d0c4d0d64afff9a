import { join } from "node:path";
import { fileResponse, notFound, openDownload, serveOperations } from "../../web/mod.ts";

export const handler = serveOperations({
  async getDownload({ params, query, state }) {
    const file = await openDownload(join(state.assistant.config.dataDir, "downloads"), params.name);
    if (!file) throw notFound("No file has this name");
    return fileResponse({ ...file, ...query.download !== undefined && { download: query.download } });
  },
});
