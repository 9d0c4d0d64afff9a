import { HttpError } from "./http_error.ts";

/** What to do as a socket lives. */
export interface WebSocketHandlers {
  open?(socket: WebSocket): void;
  message?(socket: WebSocket, event: MessageEvent): void;
  close?(socket: WebSocket, event: CloseEvent): void;
  error?(socket: WebSocket, event: Event): void;
}

/** How a socket is opened. `idleTimeout` is the seconds without an answer to a ping before it is closed. */
export type WebSocketUpgradeOptions = Pick<Deno.UpgradeWebSocketOptions, "idleTimeout" | "protocol">;

const EVENTS = ["open", "message", "close", "error"];

/** Upgrades a request: with handlers it answers the response, without it gives the socket too. */
export function upgradeSocket(
  req: Request,
  first: WebSocketHandlers | WebSocketUpgradeOptions,
  options?: WebSocketUpgradeOptions,
): Response | { socket: WebSocket; response: Response } {
  if (req.headers.get("upgrade")?.toLowerCase() !== "websocket") {
    throw new HttpError(400, "Expected a web socket upgrade");
  }
  if (!EVENTS.some((name) => name in first)) return Deno.upgradeWebSocket(req, first as WebSocketUpgradeOptions);
  const handlers = first as WebSocketHandlers;
  const { socket, response } = Deno.upgradeWebSocket(req, options ?? {});
  socket.onopen = () => handlers.open?.(socket);
  socket.onmessage = (event) => handlers.message?.(socket, event);
  socket.onclose = (event) => handlers.close?.(socket, event);
  socket.onerror = (event) => handlers.error?.(socket, event);
  return response;
}
