import { serveOperations } from "../../web/mod.ts";

export const handler = serveOperations({
  async signOut({ request, state }) {
    return new Response(null, {
      status: 204,
      headers: { "set-cookie": await state.services.doors.signOut(request) },
    });
  },
});
