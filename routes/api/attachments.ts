import { storeAttachment } from "../../core/turn/mod.ts";
import { readBytes, serveOperations } from "../../web/mod.ts";

export const handler = serveOperations({
  async storeAttachment({ query, request, state }) {
    const bytes = await readBytes(request);
    const type = request.headers.get("content-type") ?? "";
    return await storeAttachment(bytes, { name: query.name, type, blobs: state.assistant.storage.blobs });
  },
});
