import { join } from "node:path";
import { notFound } from "../../web/problem.ts";
import { serveOperations } from "../../web/operation_handler.ts";
import { fileResponse, openDownload } from "../../web/stored_file.ts";

export const handler = serveOperations({
  async getDownload({ params, query, state }) {
    const file = await openDownload(join(state.assistant.config.dataDir, "downloads"), params.name);
    if (!file) throw notFound("No file has this name");
    return fileResponse({ ...file, ...query.download !== undefined && { download: query.download } });
  },
});
