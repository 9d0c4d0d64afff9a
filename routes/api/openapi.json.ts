import { describe, serveOperations } from "../../web/mod.ts";

export const handler = serveOperations({
  getOpenapi: ({ state: { assistant, services } }) =>
    describe({
      version: assistant.version,
      url: services.publicUrl,
      basePath: services.basePath,
      cookieName: services.doors.cookieName,
    }),
});
