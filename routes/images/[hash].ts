import { fileResponse, notFound, PICTURE, serveOperations } from "../../web/mod.ts";

export const handler = serveOperations({
  async getImage({ params, query, state }) {
    const blob = await state.assistant.storage.blobs.get(params.hash);
    if (!blob || !PICTURE.test(blob.mediaType)) throw notFound("No picture has this name");
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
