import { describe } from "../../web/openapi.ts";
import { serveOperations } from "../../web/operation_handler.ts";

export const handler = serveOperations({
  getOpenapi: ({ state: { assistant, services } }) =>
    describe({ version: assistant.version, url: services.publicUrl, cookieName: services.doors.cookieName }),
});
