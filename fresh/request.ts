import type { AppConfig } from "./config.ts";
import { Context } from "./context.ts";
import { HttpError } from "./http_error.ts";
import { endOfRoute, type Registration } from "./registration.ts";
import { runInScope } from "./scope.ts";
import type { RouteMatch } from "./router.ts";
import type { Snapshot } from "./snapshot.ts";
import type { Handle } from "./registration.ts";

/** One request and what answers it. */
export interface IncomingRequest {
  readonly config: AppConfig;
  readonly snapshot: Snapshot | null;
  readonly req: Request;
  readonly info: Deno.ServeHandlerInfo | undefined;
}

/**
 * Answers one request. Nothing is thrown: what no error page answered becomes plain text with the status of its
 * `HttpError`, or 500 and no details, which are logged instead.
 */
export async function answerRequest<State>(
  registration: Registration<State>,
  { config, snapshot, req, info }: IncomingRequest,
): Promise<Response> {
  const url = requestUrl(req, config.trustProxy);
  const path = belowBase(url.pathname, config.basePath);
  const match = path === null ? null : registration.router.match(req.method, path);
  const ctx = new Context<State>({
    config,
    req,
    url,
    info: info ?? unknownInfo(),
    params: match?.params ?? {},
    route: match?.pattern ?? null,
    snapshot,
    next: match?.handler ? endOfRoute : () => Promise.resolve(answerUnmatched(match, req.method)),
  });
  const scope = { basePath: config.basePath, snapshot, render: null };
  try {
    const answer = await runInScope(scope, () => (match?.handler ?? unmatched(registration))(ctx));
    return req.method === "HEAD" && answer.body !== null ? withoutBody(answer) : answer;
  } catch (error) {
    return answerError(error, match);
  }
}

function unmatched<State>(registration: Registration<State>): Handle<State> {
  return (ctx) => registration.answerUnmatched(ctx);
}

/** A path that routes know, but not with this method, is 405; its OPTIONS is answered. Any other is 404. */
function answerUnmatched(match: RouteMatch<unknown> | null, method: string): Response {
  if (match === null) throw new HttpError(404);
  if (method === "OPTIONS") return new Response(null, { status: 204, headers: { allow: allowed(match) } });
  throw new HttpError(405);
}

function allowed(match: RouteMatch<unknown>): string {
  const methods = new Set<string>(match.methods);
  if (methods.has("GET")) methods.add("HEAD");
  return [...methods, "OPTIONS"].join(", ");
}

function answerError(error: unknown, match: RouteMatch<unknown> | null): Response {
  if (error instanceof HttpError) {
    const text = error.message || STATUS_TEXT[error.status] || `Error ${error.status}`;
    const headers = new Headers({ "content-type": "text/plain; charset=utf-8" });
    if (error.status === 405 && match !== null && match.methods.size > 0) headers.set("allow", allowed(match));
    return new Response(text, { status: error.status, headers });
  }
  console.error(error);
  return new Response("Internal server error", { status: 500 });
}

/** The path below the base path, or null outside of it. */
function belowBase(path: string, basePath: string): string | null {
  if (basePath === "" || path === basePath) return path === basePath ? "/" : path;
  return path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : null;
}

function requestUrl(req: Request, trustProxy: boolean): URL {
  const url = new URL(req.url);
  url.pathname = url.pathname.replace(/\/{2,}/g, "/");
  if (!trustProxy) return url;
  const scheme = req.headers.get("x-forwarded-proto")?.split(",")[0]?.trim();
  const host = req.headers.get("x-forwarded-host")?.split(",")[0]?.trim();
  if (scheme === "http" || scheme === "https") url.protocol = scheme;
  if (host !== undefined && /^[\w.:[\]-]+$/.test(host)) {
    url.port = "";
    url.host = host;
  }
  return url;
}

function withoutBody(answer: Response): Response {
  answer.body?.cancel().catch(() => {});
  return new Response(null, answer);
}

function unknownInfo(): Deno.ServeHandlerInfo {
  return { remoteAddr: { transport: "tcp", hostname: "localhost", port: 0 }, completed: Promise.resolve() };
}

// Not taken from `node:http`: importing it costs a start 50 ms.
const STATUS_TEXT: Readonly<Record<number, string>> = {
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  409: "Conflict",
  500: "Internal Server Error",
  503: "Service Unavailable",
};
