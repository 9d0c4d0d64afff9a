import { openExport } from "../../../../core/conversation/mod.ts";
import { fileResponse, serveOperations } from "../../../../web/mod.ts";

export const handler = serveOperations({
  async exportConversation({ params, query: { format, full }, state: { assistant } }) {
    const { name, ascii, mediaType, pieces } = await openExport(assistant, params.id, {
      format,
      full: full === "true",
    });
    const body = ReadableStream.from(pieces).pipeThrough(new TextEncoderStream());
    return fileResponse({ body, type: mediaType, download: name, asciiName: ascii });
  },
});
