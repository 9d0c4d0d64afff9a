import { MemoryNotFound } from "../../../../core/memory/mod.ts";
import { serveOperations } from "../../../../web/mod.ts";

export const handler = serveOperations({
  updateMemory: ({ params, body, state }) => state.assistant.memories.edit(params.id, body.text),

  deleteMemory: async ({ params, state }) => {
    if (!await state.assistant.memories.remove(params.id)) throw new MemoryNotFound(params.id);
  },
});
