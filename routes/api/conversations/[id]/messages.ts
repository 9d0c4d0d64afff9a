import { serveOperations } from "../../../../web/mod.ts";

export const handler = serveOperations({
  sendMessage({ params, body, state }) {
    const { text, token, files, thinking, parent, queue, plan } = body;
    const images = body.images?.map((image) =>
      "data" in image ? { ...image, data: Uint8Array.fromBase64(image.data) } : image
    );
    return state.assistant.turns.submit(params.id, {
      text,
      ...token !== undefined && { token },
      ...images && { images },
      ...files && { files },
      ...thinking !== undefined && { thinking },
      ...parent !== undefined && { parent },
      // A plan is a turn's own: it cannot be asked for in the middle of another.
      ...(queue || plan) && { queue: true },
    });
  },
});
