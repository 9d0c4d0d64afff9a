/**
 * What every request passes before anything else looks at it, and every answer on its way out.
 *
 * Invariants
 * 1. A request for another host, or from another page where it would change something, ends here ("a forged Host is
 *    refused", "a page from elsewhere changes nothing").
 * 2. No body over 16 MiB (1 GiB for an import, which is read as it comes) is taken in, said beforehand or not ("a body over 16 MiB is 413").
 * 3. Every answer carries the security headers, errors included.
 *
 * All in tests/web/guard_test.ts.
 *
 * @module
 */
import type { AddressRules } from "./address_rules.ts";
import { bodyLimit, drainBody, limitBody, saysTooLarge } from "./body.ts";
import { bodyTooLarge, notFound, problem, problemAnswer, problemResponse } from "./problem.ts";
import { withSecurityHeaders } from "./security_headers.ts";
import type { Report } from "./services.ts";

/** Answers a request of the server. */
export type ServerHandler = (request: Request, info: Deno.ServeHandlerInfo) => Response | Promise<Response>;

/** Puts the guard in front of a handler. */
export function guard(next: ServerHandler, rules: AddressRules, report: Report): ServerHandler {
  return async (request, info) => {
    const refusal = refuse(request, rules);
    if (refusal) {
      await drainBody(request);
      return withSecurityHeaders(refusal);
    }
    const limit = bodyLimit(request);
    const limited = limitBody(request, limit);
    try {
      const response = await next(limited.request, info);
      if (!limited.exceeded()) return withSecurityHeaders(response);
      await response.body?.cancel();
    } catch (error) {
      if (!limited.exceeded()) return withSecurityHeaders(problemAnswer(error, report));
    }
    await drainBody(request);
    return withSecurityHeaders(problemAnswer(bodyTooLarge(limit), report));
  };
}

function refuse(request: Request, rules: AddressRules): Response | null {
  if (!rules.acceptsHost(request.headers.get("host"))) {
    const detail = "This name is not ours: open the address that was printed at the start, " +
      "or add the name to allowed_hosts in [web] of config.toml";
    return problemResponse(problem(403, "wrong-host", "Not for this host", detail));
  }
  if (changesState(request) && (!rules.acceptsOrigin(request) || saysOtherSite(request))) {
    const detail = "A page from another address may not do this: open Malama itself";
    return problemResponse(problem(403, "wrong-origin", "From another page", detail));
  }
  if (climbs(request.url)) return problemResponse(notFound("There is nothing at this address").problem);
  const limit = bodyLimit(request);
  if (saysTooLarge(request, limit)) return problemResponse(bodyTooLarge(limit).problem);
  return null;
}

/**
 * Whether an address has steps like `..` in it. No browser sends any (it resolves them first), and what reads the address
 * here would resolve them to some other page.
 */
function climbs(url: string): boolean {
  const path = url.replace(/^[a-z]+:\/\/[^/\\?#]*/i, "").split(/[?#]/)[0] ?? "";
  return path.split(/[/\\]/).some((step) => /^(?:\.|%2e){1,2}$/i.test(step));
}

function changesState(request: Request): boolean {
  return !["GET", "HEAD", "OPTIONS"].includes(request.method) || request.headers.has("upgrade");
}

/** What a browser itself says about where a request comes from; a page cannot forge it. */
function saysOtherSite(request: Request): boolean {
  return ["cross-site", "same-site"].includes(request.headers.get("sec-fetch-site") ?? "");
}
