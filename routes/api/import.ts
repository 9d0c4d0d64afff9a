import { conversationMade, drainBody, serveOperations } from "../../web/mod.ts";

export const handler = serveOperations({
  async importConversation({ request, state }) {
    // What a refusal leaves unread is taken in, so that the sender reads why it was refused.
    const body = request.body ?? new Blob([]).stream();
    try {
      const pieces = body.values({ preventCancel: true });
      const made = await state.assistant.imports.import(pieces, { signal: request.signal });
      return conversationMade("importConversation", made, state);
    } catch (error) {
      await drainBody(request);
      throw error;
    }
  },
});
