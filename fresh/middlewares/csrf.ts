import type { Context } from "../context.ts";
import { HttpError } from "../http_error.ts";
import type { MiddlewareFn } from "../handlers.ts";

/** Which other origins may change state. */
export interface CsrfOptions<State> {
  readonly origin?: string | readonly string[] | ((origin: string, ctx: Context<State>) => boolean);
}

const SAFE = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Refuses (403) a request that changes state when the browser says that another site made it: by `Sec-Fetch-Site`, or by
 * `Origin` where that is missing. A request with neither comes from no browser and is let through.
 */
export function csrf<State>(options: CsrfOptions<State> = {}): MiddlewareFn<State> {
  return async (ctx) => {
    if (SAFE.has(ctx.req.method) || isAllowed(ctx, options.origin)) return await ctx.next();
    throw new HttpError(403);
  };
}

function isAllowed<State>(ctx: Context<State>, allowed: CsrfOptions<State>["origin"]): boolean {
  const site = ctx.req.headers.get("sec-fetch-site");
  const origin = ctx.req.headers.get("origin");
  if (site === "same-origin" || site === "none") return true;
  if (site === null && origin === null) return true;
  if (origin === null) return false;
  if (typeof allowed === "function") return allowed(origin, ctx);
  if (allowed !== undefined) return [allowed].flat().includes(origin);
  return site === null && origin === ctx.url.origin;
}
