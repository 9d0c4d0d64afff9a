import { serveOperations } from "../../../../web/mod.ts";

export const handler = serveOperations({
  nameConversation: ({ params, state }) => state.assistant.titles.request(params.id),
});
