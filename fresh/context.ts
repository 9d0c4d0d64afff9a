import type { ComponentChildren, FunctionComponent } from "preact";
import type { LayoutConfig } from "./component.ts";
import type { AppConfig } from "./config.ts";
import { getInternals, setInternals } from "./internals.ts";
import { renderPage } from "./render.ts";
import type { Snapshot } from "./snapshot.ts";
import { upgradeSocket, type WebSocketHandlers, type WebSocketUpgradeOptions } from "./web_socket.ts";

/** What a context is made from. */
export interface ContextParts extends Pick<Context, "config" | "req" | "url" | "info" | "params" | "route" | "next"> {
  readonly snapshot: Snapshot | null;
}

type Chunks = Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>;

/** One request and the ways to answer it. The same object is handed from middleware to middleware to handler. */
export class Context<State = unknown> {
  readonly config: AppConfig;
  /** The address asked for, with doubled slashes in its path made single and, with `mayBeStripped`, below the base path. */
  readonly url: URL;
  readonly req: Request;
  readonly info: Deno.ServeHandlerInfo;
  /** The pattern that matched, without the base path; null when none did. */
  readonly route: string | null;
  readonly params: Readonly<Record<string, string>>;
  /** Shared by all that handle this request; empty at first. */
  readonly state: State = {} as State;
  /** What the handler passed to `page()`. */
  data: unknown = undefined;
  /** In an error page or `onError`: what was thrown. */
  error: unknown = null;
  /** Always false: partials are outside the subset. */
  readonly isPartial = false;
  /** Goes on to the next middleware, or to the handler. */
  next: () => Promise<Response>;
  /** In a layout or an app rendered by hand: what is below it. */
  Component: FunctionComponent = () => null;

  constructor(parts: ContextParts) {
    this.config = parts.config;
    this.url = parts.url;
    this.req = parts.req;
    this.info = parts.info;
    this.route = parts.route;
    this.params = parts.params;
    this.next = parts.next;
    setInternals(this, { around: { app: null, layouts: [], css: [] }, nonce: null, snapshot: parts.snapshot });
  }

  /** Sends the browser elsewhere. Slashes at the start of a path are made single, so that it cannot name another host. */
  redirect(pathOrUrl: string, status = 302): Response {
    let location = pathOrUrl;
    if (/^[/\\]/.test(pathOrUrl)) {
      const end = pathOrUrl.search(/[?#]/);
      const path = end < 0 ? pathOrUrl : pathOrUrl.slice(0, end);
      location = path.replace(/[/\\]+/g, "/") + (end < 0 ? "" : pathOrUrl.slice(end));
    }
    return new Response(null, { status, headers: { location } });
  }

  /** Answers with a page: the markup inside the layouts and the app that hold for this route. */
  async render(markup: ComponentChildren, init: ResponseInit = {}, options: LayoutConfig = {}): Promise<Response> {
    const answer = await renderPage(this, getInternals(this), markup, options);
    return answer instanceof Response ? answer : this.html(answer, init);
  }

  /** Answers plain text. */
  text(body: string, init: ResponseInit = {}): Response {
    return respond(body, "text/plain; charset=utf-8", init);
  }

  /** Answers HTML as it stands. */
  html(body: string, init: ResponseInit = {}): Response {
    return respond(body, "text/html; charset=utf-8", init);
  }

  /** Answers JSON. */
  json(body: unknown, init: ResponseInit = {}): Response {
    return respond(JSON.stringify(body), "application/json", init);
  }

  /** Answers piece by piece; strings are sent as UTF-8. Leaving early closes the source. */
  stream(source: Chunks | (() => Chunks), init: ResponseInit = {}): Response {
    return new Response(ReadableStream.from(encode(typeof source === "function" ? source() : source)), init);
  }

  /** Turns the request into a web socket; throws `HttpError` 400 when it is not an upgrade. */
  upgrade(options?: WebSocketUpgradeOptions): { socket: WebSocket; response: Response };
  upgrade(handlers: WebSocketHandlers, options?: WebSocketUpgradeOptions): Response;
  upgrade(
    first: WebSocketHandlers | WebSocketUpgradeOptions = {},
    options?: WebSocketUpgradeOptions,
  ): Response | { socket: WebSocket; response: Response } {
    return upgradeSocket(this.req, first, options);
  }
}

function respond(body: string, type: string, init: ResponseInit): Response {
  const headers = new Headers(init.headers);
  if (!headers.has("content-type")) headers.set("content-type", type);
  return new Response(body, { ...init, headers });
}

async function* encode(chunks: Chunks): AsyncIterable<Uint8Array> {
  const encoder = new TextEncoder();
  for await (const chunk of chunks) yield typeof chunk === "string" ? encoder.encode(chunk) : chunk;
}
