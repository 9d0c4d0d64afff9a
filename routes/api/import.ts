import { conversationMade, serveOperations } from "../../web/mod.ts";

export const handler = serveOperations({
  async importConversation({ request, state }) {
    const pieces = request.body ?? new ReadableStream<Uint8Array>({ start: (controller) => controller.close() });
    const made = await state.assistant.imports.import(pieces, { signal: request.signal });
    return conversationMade("importConversation", made, state);
  },
});
