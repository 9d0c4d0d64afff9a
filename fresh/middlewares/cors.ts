import type { Context } from "../context.ts";
import type { MiddlewareFn } from "../handlers.ts";

/** Which other origins may read the answers. */
export interface CorsOptions<State> {
  /** `*`, one origin, a list, or a function that gives the origin to allow; none by default. */
  readonly origin?: string | readonly string[] | ((origin: string, ctx: Context<State>) => string | null | undefined);
  readonly allowMethods?: readonly string[];
  readonly allowHeaders?: readonly string[];
  readonly exposeHeaders?: readonly string[];
  /** Seconds a preflight answer may be kept. */
  readonly maxAge?: number;
  readonly credentials?: boolean;
}

const METHODS = ["GET", "HEAD", "PUT", "POST", "DELETE", "PATCH"];

/** Lets pages of other origins read the answers, and answers their preflight requests. */
export function cors<State>(options: CorsOptions<State> = {}): MiddlewareFn<State> {
  return async (ctx) => {
    const allowed = allowedOrigin(ctx, options.origin ?? "*");
    const isPreflight = ctx.req.method === "OPTIONS" && ctx.req.headers.has("access-control-request-method");
    const answer = isPreflight ? new Response(null, { status: 204 }) : await ctx.next();
    const headers = new Headers(answer.headers);
    if (allowed !== "*") headers.append("vary", "Origin");
    if (allowed !== null) {
      headers.set("access-control-allow-origin", allowed);
      if (options.credentials) headers.set("access-control-allow-credentials", "true");
      if (options.exposeHeaders?.length) headers.set("access-control-expose-headers", options.exposeHeaders.join(", "));
      if (isPreflight) setPreflight(ctx, options, headers);
    }
    return new Response(answer.body, { status: answer.status, statusText: answer.statusText, headers });
  };
}

function setPreflight<State>(ctx: Context<State>, options: CorsOptions<State>, headers: Headers): void {
  headers.set("access-control-allow-methods", (options.allowMethods ?? METHODS).join(", "));
  const asked = options.allowHeaders?.join(", ") ?? ctx.req.headers.get("access-control-request-headers");
  if (asked) {
    headers.set("access-control-allow-headers", asked);
    headers.append("vary", "Access-Control-Request-Headers");
  }
  if (options.maxAge !== undefined) headers.set("access-control-max-age", String(options.maxAge));
}

function allowedOrigin<State>(ctx: Context<State>, allowed: NonNullable<CorsOptions<State>["origin"]>): string | null {
  const origin = ctx.req.headers.get("origin") ?? "";
  if (typeof allowed === "function") return allowed(origin, ctx) ?? null;
  if (typeof allowed === "string") return allowed;
  return allowed.includes(origin) ? origin : null;
}
