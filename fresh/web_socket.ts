import { HttpError } from "./http_error.ts";

/** What to do as a socket lives. */
export interface WebSocketHandlers {
  open?(socket: WebSocket): void;
  message?(socket: WebSocket, event: MessageEvent): void;
  close?(socket: WebSocket, event: CloseEvent): void;
  error?(socket: WebSocket, event: Event): void;
}

/** How a socket is opened. */
export interface WebSocketUpgradeOptions {
  /** Seconds without an answer to a ping before the socket is closed. */
  readonly idleTimeout?: number;
  readonly protocol?: string;
}

/** Upgrades a request: with handlers it answers the response, without it gives the socket too. */
export function upgradeSocket(
  req: Request,
  first: WebSocketHandlers | WebSocketUpgradeOptions,
  options?: WebSocketUpgradeOptions,
): Response | { socket: WebSocket; response: Response } {
  if (req.headers.get("upgrade")?.toLowerCase() !== "websocket") {
    throw new HttpError(400, "Expected a web socket upgrade");
  }
  if (!hasHandlers(first)) return Deno.upgradeWebSocket(req, first);
  const { socket, response } = Deno.upgradeWebSocket(req, options ?? {});
  const { open, message, close, error } = first;
  if (open !== undefined) socket.onopen = () => open(socket);
  if (message !== undefined) socket.onmessage = (event) => message(socket, event);
  if (close !== undefined) socket.onclose = (event) => close(socket, event);
  if (error !== undefined) socket.onerror = (event) => error(socket, event);
  return response;
}

function hasHandlers(value: WebSocketHandlers | WebSocketUpgradeOptions): value is WebSocketHandlers {
  return ["open", "message", "close", "error"].some((name) => name in value);
}
