import { blobAnswer, PICTURE, serveOperations } from "../../web/mod.ts";

export const handler = serveOperations({
  getImage: (input) => blobAnswer(input, "picture", (type) => PICTURE.test(type)),
});
