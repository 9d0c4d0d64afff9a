import { DocumentNotFound } from "../../../core/memory/mod.ts";
import { serveOperations } from "../../../web/mod.ts";

export const handler = serveOperations({
  getDocument: async ({ params, state }) => {
    const document = await state.assistant.documents.get(params.path);
    if (document === null) throw new DocumentNotFound(params.path);
    return document;
  },

  /** A person who sends the revision they read replaces that one and no other. */
  putDocument: async ({ params, body, state }) => {
    const { content, revision } = body;
    const replaces = revision === undefined ? { overwrite: true } : { revision };
    return (await state.assistant.documents.save(params.path, content, replaces)).document;
  },

  deleteDocument: async ({ params, state }) => {
    if (!await state.assistant.documents.remove(params.path)) throw new DocumentNotFound(params.path);
  },
});
