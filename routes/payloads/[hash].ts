import { fileResponse, notFound, serveOperations } from "../../web/mod.ts";

export const handler = serveOperations({
  async getPayload({ params, query, state }) {
    const blob = await state.assistant.storage.blobs.get(params.hash);
    if (!blob) throw notFound("No payload has this name");
    return fileResponse({
      body: blob.bytes,
      type: blob.mediaType,
      bytes: blob.bytes.byteLength,
      name: params.hash,
      immutable: true,
      ...query.download !== undefined && { download: query.download },
    });
  },
});
