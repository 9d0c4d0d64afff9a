import { blobAnswer, serveOperations } from "../../web/mod.ts";

export const handler = serveOperations({
  getPayload: (input) => blobAnswer(input, "payload"),
});
