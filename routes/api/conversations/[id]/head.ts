import { serveOperations } from "../../../../web/mod.ts";

export const handler = serveOperations({
  setHead: ({ params, body: { turn }, state }) => state.assistant.conversations.setHead(params.id, turn),
});
