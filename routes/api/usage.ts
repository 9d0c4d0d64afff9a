import { serveOperations } from "../../web/mod.ts";

export const handler = serveOperations({
  getUsage: async ({ query: { by, days, zone }, state }) => ({
    items: (await state.assistant.usage({ days, zone }))[by],
  }),
});
