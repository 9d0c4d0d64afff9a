/**
 * `/healthz`: whether it runs. Answered here and nowhere else, before everything that may still be starting, below the base
 * path and past the proxy, without authentication.
 *
 * @module
 */
import type { Assistant } from "../core/assistant.ts";
import { problem, problemResponse } from "./problem.ts";

const ALLOW = "GET, HEAD, OPTIONS";

/** The answer to a request for `/healthz`; `null` for any other. It is ok since it answers; `ready` once the start is over. */
export function healthAnswer(
  { method, url }: Pick<Request, "method" | "url">,
  assistant: Pick<Assistant, "version" | "ready">,
  basePath: string,
): Response | null {
  const { pathname } = new URL(url);
  if (pathname !== "/healthz" && pathname !== `${basePath}/healthz`) return null;
  switch (method) {
    case "GET":
      return Response.json({ status: "ok", version: assistant.version, ready: assistant.ready });
    case "HEAD":
      return new Response(null, { headers: { "content-type": "application/json" } });
    case "OPTIONS":
      return new Response(null, { status: 204, headers: { allow: ALLOW } });
    default:
      return refused(method);
  }
}

function refused(method: string): Response {
  const detail = `${method} is not possible here; possible are ${ALLOW}`;
  return problemResponse(problem(405, "method-not-allowed", "Not possible here", detail), { allow: ALLOW });
}
