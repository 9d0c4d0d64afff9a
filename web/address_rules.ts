/**
 * Which names we answer to, and which pages may change something.
 *
 * Invariants
 * 1. A name that only points at this machine (DNS rebinding) is refused: `Host` must be one of ours.
 * 2. A page from elsewhere changes nothing and opens no socket: `Origin` is absent or the one the request was sent to.
 *    `Origin: null` (a sandboxed frame, a file) is elsewhere.
 *
 * Tests: tests/web/address_rules_test.ts, and over the wire in tests/web/guard_test.ts.
 *
 * @module
 */

const LOOPBACK_NAMES = ["127.0.0.1", "localhost", "[::1]"];

/** The rules for one server, made from where it listens. */
export class AddressRules {
  readonly #names: ReadonlySet<string>;
  readonly #proxies: readonly { readonly name: string; readonly port: string | null }[];

  /** `host` is what we are bound to; `allowedHosts` are names (`name` or `name:port`) a proxy uses for us. */
  constructor(host: string, allowedHosts: readonly string[] = []) {
    this.#names = new Set([...LOOPBACK_NAMES, bracketed(host)]);
    this.#proxies = allowedHosts.flatMap((entry) => parseHost(entry) ?? parseHost(bracketed(entry)) ?? []);
  }

  /** Whether a `Host` header names us. */
  acceptsHost(header: string | null): boolean {
    const host = parseHost(header);
    if (!host) return false;
    return this.#names.has(host.name) || this.#isProxy(host);
  }

  /** Whether an `Origin` header is absent or our own. */
  acceptsOrigin(request: Request): boolean {
    const origin = request.headers.get("origin");
    if (origin === null) return true;
    const match = /^(https?):\/\/([^/?#@\s]+)$/i.exec(origin);
    const [, scheme, authority] = match ?? [];
    const host = parseHost(authority ?? null);
    if (!scheme || !host) return false;
    const sentTo = parseHost(request.headers.get("host"));
    const isSentTo = sentTo?.name === host.name && (sentTo.port ?? "80") === (host.port ?? "80");
    if (scheme.toLowerCase() === "http" && isSentTo) return true;
    return this.#proxies.some((proxy) =>
      proxy.name === host.name &&
      (host.port === proxy.port || (proxy.port === null && host.port === sentTo?.port))
    );
  }

  /** Whether the person's side of a configured proxy speaks TLS. */
  isSecure(request: Request): boolean {
    const host = parseHost(request.headers.get("host"));
    const scheme = request.headers.get("x-forwarded-proto")?.split(",")[0]?.trim().toLowerCase();
    return scheme === "https" && host !== null && this.#isProxy(host);
  }

  #isProxy(host: { name: string; port: string | null }): boolean {
    return this.#proxies.some((proxy) => proxy.name === host.name && (proxy.port === null || proxy.port === host.port));
  }
}

function bracketed(host: string): string {
  const name = host.toLowerCase();
  return name.includes(":") && !name.startsWith("[") ? `[${name}]` : name;
}

function parseHost(header: string | null): { name: string; port: string | null } | null {
  const match = /^(\[[0-9a-f:.]+\]|[^:[\]@/\\\s?#,]+)(?::(\d{1,5}))?$/i.exec(header ?? "");
  // A port past the last makes no address; nothing behind this could read the request's.
  if (!match?.[1] || Number(match[2] ?? 0) > 65_535) return null;
  return { name: match[1].toLowerCase(), port: match[2] ?? null };
}
