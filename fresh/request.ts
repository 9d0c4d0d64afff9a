import type { AppConfig } from "./config.ts";
import { Context } from "./context.ts";
import { HttpError } from "./http_error.ts";
import type { Registration } from "./registration.ts";
import type { RouteMatch } from "./router.ts";
import { runInScope } from "./scope.ts";
import type { Snapshot } from "./snapshot.ts";

/** One request and the app it is made to. */
export interface IncomingRequest {
  readonly config: AppConfig;
  readonly snapshot: Snapshot | null;
  readonly req: Request;
  readonly info?: Deno.ServeHandlerInfo;
}

/**
 * Answers one request. Nothing is thrown: what no error page answered becomes plain text with the status of its
 * `HttpError`, or 500 and no details, which are logged instead.
 */
export async function answerRequest<State>(
  registration: Registration<State>,
  { config, snapshot, req, info = { remoteAddr: NOWHERE, completed: Promise.resolve() } }: IncomingRequest,
): Promise<Response> {
  const url = new URL(req.url);
  url.pathname = url.pathname.replace(/\/{2,}/g, "/");
  if (config.mayBeStripped && belowBase(url.pathname, config.basePath) === null) {
    url.pathname = config.basePath + url.pathname;
  }
  const path = belowBase(url.pathname, config.basePath);
  const match = path === null ? null : registration.router.match(req.method, path);
  const { handler = null, params = {}, pattern: route = null } = match ?? {};
  const next = () => handler === null ? answerUnmatched(match, req.method) : Promise.reject(new HttpError(404));
  const ctx = new Context<State>({ config, req, url, info, params, route, snapshot, next });
  const run = handler ?? ((ctx) => registration.answerUnmatched(ctx));
  try {
    const answer = await runInScope({ basePath: config.basePath, snapshot, render: null }, () => run(ctx));
    return req.method === "HEAD" && answer.body !== null ? new Response(null, answer) : answer;
  } catch (error) {
    return answerError(error, match);
  }
}

/** A path that routes know, but not with this method, is 405; its OPTIONS is answered. Any other is 404. */
function answerUnmatched(match: RouteMatch<unknown> | null, method: string): Promise<Response> {
  if (match === null) return Promise.reject(new HttpError(404));
  if (method !== "OPTIONS") return Promise.reject(new HttpError(405));
  return Promise.resolve(new Response(null, { status: 204, headers: { allow: allowed(match) } }));
}

function allowed({ methods }: RouteMatch<unknown>): string {
  return [...new Set([...methods, ...methods.has("GET") ? ["HEAD"] : [], "OPTIONS"])].join(", ");
}

function answerError(error: unknown, match: RouteMatch<unknown> | null): Response {
  if (!(error instanceof HttpError)) {
    console.error(error);
    return new Response("Internal server error", { status: 500 });
  }
  const text = error.message || STATUS_TEXT.get(error.status) || `Error ${error.status}`;
  const headers = new Headers({ "content-type": "text/plain; charset=utf-8" });
  if (error.status === 405 && match !== null) headers.set("allow", allowed(match));
  return new Response(text, { status: error.status, headers });
}

/** The path below the base path, or null outside of it. */
function belowBase(path: string, basePath: string): string | null {
  if (path === basePath) return "/";
  return path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : null;
}

const NOWHERE: Deno.NetAddr = { transport: "tcp", hostname: "localhost", port: 0 };

// Not taken from `node:http`: importing it costs a start 50 ms.
const STATUS_TEXT = new Map([[400, "Bad Request"], [401, "Unauthorized"], [403, "Forbidden"], [404, "Not Found"]])
  .set(405, "Method Not Allowed").set(409, "Conflict").set(429, "Too Many Requests");
