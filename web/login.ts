/**
 * The half of `/login` that is not a page: trading the one-time code for a cookie, and signing out.
 *
 * A code is used up by a person's own navigation alone. A link that is fetched ahead (`HEAD`, a prefetch, a preview that
 * asks for a picture) leaves it whole.
 *
 * @module
 */
import type { Context } from "fresh";
import type { State } from "./state.ts";

/** What the login page is to show. */
export interface LoginView {
  /** `ask` for a code · `wrong`: no such code, used already, or too old · `limited`: wait first · `signed_out`. */
  readonly kind: "ask" | "wrong" | "limited" | "signed_out";
  /** Seconds to wait, when `limited`. */
  readonly waitSeconds: number;
  /** The HTTP status of the page. */
  readonly status: number;
  /** Headers of the page. */
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Handles `GET /login`, `GET /login?code=…` and `POST /login` (a form with `code`, or with `sign_out`). Gives a finished
 * response, or what the page is to show.
 */
export async function login(ctx: Context<State>): Promise<Response | LoginView> {
  const { doors } = ctx.state.services;
  if (!doors.needsLogin) return toStart(ctx);
  if (ctx.req.method === "POST") {
    const form = await readForm(ctx.req);
    if (form.has("sign_out")) return await signOut(ctx);
    return await redeem(ctx, form.get("code") ?? "");
  }
  const code = ctx.url.searchParams.get("code");
  if (code !== null && ctx.req.method === "GET") {
    if (isFetchedAhead(ctx.req)) return new Response(null, { status: 503 });
    return await redeem(ctx, code);
  }
  return view(ctx.url.searchParams.has("signed_out") ? "signed_out" : "ask", 200);
}

async function redeem(ctx: Context<State>, code: string): Promise<Response | LoginView> {
  if (code.trim() === "") return view("ask", 200);
  const redemption = await ctx.state.services.doors.redeemCode(code, ctx.req, ctx.state.address);
  switch (redemption.outcome) {
    case "in":
      return toStart(ctx, { "set-cookie": redemption.cookie });
    case "wrong":
      return view("wrong", 401);
    case "limited":
      return {
        ...view("limited", 429),
        waitSeconds: redemption.waitSeconds,
        headers: { "retry-after": String(redemption.waitSeconds) },
      };
    default:
      return redemption satisfies never;
  }
}

async function signOut(ctx: Context<State>): Promise<Response> {
  const cookie = await ctx.state.services.doors.signOut(ctx.req);
  const location = `${ctx.state.services.basePath}/login?signed_out`;
  return new Response(null, { status: 303, headers: { location, "set-cookie": cookie } });
}

function toStart(ctx: Context<State>, headers: Record<string, string> = {}): Response {
  return new Response(null, { status: 303, headers: { ...headers, location: `${ctx.state.services.basePath}/` } });
}

function view(kind: LoginView["kind"], status: number): LoginView {
  return { kind, status, waitSeconds: 0, headers: {} };
}

function isFetchedAhead(request: Request): boolean {
  const purpose = `${request.headers.get("sec-purpose")} ${request.headers.get("purpose")}`;
  const destination = request.headers.get("sec-fetch-dest");
  return /prefetch|prerender|preview/i.test(purpose) || (destination !== null && destination !== "document");
}

async function readForm(request: Request): Promise<URLSearchParams> {
  const type = request.headers.get("content-type") ?? "";
  const text = await request.text();
  if (type.startsWith("application/x-www-form-urlencoded")) return new URLSearchParams(text);
  return new URLSearchParams();
}
