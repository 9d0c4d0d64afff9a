import { getInternals } from "./internals.ts";
import type { MiddlewareFn } from "./handlers.ts";

/** What a content security policy is made of. */
export interface CspOptions {
  /** Only reports what it would block. */
  readonly reportOnly?: boolean;
  readonly reportTo?: string;
  /** Directives that take the place of, or are added to, the default ones, e.g. `img-src 'self' data:`. */
  readonly csp?: readonly string[];
  /** Puts a nonce of the request on every script and style of the page, instead of allowing all inline ones. */
  readonly useNonce?: boolean;
}

/**
 * Sends a content security policy with every page. The default allows our own origin alone, and does not hold
 * `upgrade-insecure-requests`: it would break a server on a plain `http` address of the local network.
 */
export function csp<State>(options: CspOptions = {}): MiddlewareFn<State> {
  const { reportOnly = false, reportTo, csp: own = [], useNonce = false } = options;
  const name = reportOnly ? "content-security-policy-report-only" : "content-security-policy";
  return async (ctx) => {
    const nonce = useNonce ? crypto.getRandomValues(new Uint8Array(16)).toBase64() : null;
    getInternals(ctx).nonce = nonce;
    const answer = await ctx.next();
    const headers = new Headers(answer.headers);
    headers.set(name, policy(own, nonce, reportTo));
    if (reportTo !== undefined) headers.set("reporting-endpoints", `csp-endpoint="${reportTo}"`);
    return new Response(answer.body, { status: answer.status, statusText: answer.statusText, headers });
  };
}

const DEFAULTS = "default-src 'self'; font-src 'self'; img-src 'self' data:; media-src 'self' data: blob:; " +
  "worker-src 'self' blob:; connect-src 'self'; object-src 'none'; base-uri 'self'; form-action 'self'; " +
  "frame-ancestors 'none'";

function policy(own: readonly string[], nonce: string | null, reportTo: string | undefined): string {
  const inline = nonce === null ? "'unsafe-inline'" : `'nonce-${nonce}'`;
  const report = reportTo === undefined ? [] : ["report-to csp-endpoint", `report-uri ${reportTo}`];
  const all = [...DEFAULTS.split("; "), `script-src 'self' ${inline}`, `style-src 'self' ${inline}`, ...own, ...report];
  const byName = new Map(all.map((directive) => [directive.trim().split(/\s+/)[0], directive.trim()]));
  return [...byName.values()].join("; ");
}
