import { serveOperations } from "../../../../web/mod.ts";

export const handler = serveOperations({
  sendMessage({ params, body, state }) {
    const { text, token, thinking, parent } = body;
    const images = body.images?.map(({ name, media_type, data }) => ({
      name,
      media_type,
      data: Uint8Array.fromBase64(data),
    }));
    return state.assistant.turns.submit(params.id, {
      text,
      ...token !== undefined && { token },
      ...images && { images },
      ...thinking !== undefined && { thinking },
      ...parent !== undefined && { parent },
    });
  },
});
