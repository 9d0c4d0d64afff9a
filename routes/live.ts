import { problem, RequestProblem, serveOperations } from "../web/mod.ts";

/** Seconds without any answer from the other side before its socket is closed. */
const IDLE_SECONDS = 60;

export const handler = serveOperations({
  openLiveSocket({ request, state }) {
    if (request.method !== "GET" || request.headers.get("upgrade")?.toLowerCase() !== "websocket") {
      const detail = "Open this address as a WebSocket";
      throw new RequestProblem(problem(426, "not-a-socket", "A socket is needed", detail), { upgrade: "websocket" });
    }
    const { socket, response } = Deno.upgradeWebSocket(request, { idleTimeout: IDLE_SECONDS });
    state.services.hub.accept(socket, state.session);
    return response;
  },
});
