/**
 * From an address a model or a page names to the IP addresses that may be connected to, or the reason why none may.
 *
 * Invariants (tests/core/egress/check_test.ts)
 * 1. Every address a name has is checked, and one that is refused refuses the name: an answer that mixes public and private
 *    addresses is how rebinding looks.
 * 2. What is given is what is connected to: nobody resolves the name again.
 *
 * @module
 */
import { notPublic, parseAddress } from "./address.ts";
import { type AllowList, hostName } from "./allow_list.ts";
import { BadAddress, EgressError, PrivateAddress, UnknownHost } from "./errors.ts";

/** The IP addresses of a host name, at least one. Throws when there are none. */
export type Resolve = (host: string) => Promise<readonly string[]>;

/** Where a request may go. */
export interface Destination {
  readonly url: URL;
  readonly port: number;
  /** Those to try, in this order. */
  readonly addresses: readonly string[];
}

/** Longest address that is fetched, in characters. */
const LONGEST_URL = 8_000;

/**
 * Reads an address: http or https, without user information, at a port of the web. Throws `BadAddress`, which repeats what a
 * caller wrote, and nothing of what a server redirects to from `base`.
 */
export function readUrl(text: string, base?: URL): URL {
  const url = URL.parse(text.trim(), base);
  if (url === null) {
    const shown = text.length > 200 ? `${text.slice(0, 200)}…` : text;
    throw new BadAddress(
      "",
      base === undefined
        ? `"${shown}" is no web address: write it in full, such as https://example.org/page`
        : `${base.host} redirects to what is no web address: use another source`,
    );
  }
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    const begins = base === undefined ? `this one begins with "${url.protocol}"` : `${base.host} redirects to another`;
    throw new BadAddress("", `Only http and https addresses are fetched, and ${begins}`);
  }
  if (url.username !== "" || url.password !== "") {
    throw new BadAddress("", "The address holds a user name or password before an @: leave them out");
  }
  if (url.href.length > LONGEST_URL) {
    throw new BadAddress("", `The address is longer than ${LONGEST_URL} characters: use a shorter one`);
  }
  url.hash = "";
  return url;
}

/** Resolves and checks. Throws `BadAddress`, `UnknownHost` and `PrivateAddress`. */
export async function checkDestination(
  url: URL,
  { allowed, resolve, trusted }: {
    readonly allowed: AllowList;
    readonly resolve: Resolve;
    /** Origins a person configured for this very request: they may be private. */
    readonly trusted: readonly string[];
  },
): Promise<Destination> {
  const port = Number(url.port || (url.protocol === "https:" ? 443 : 80));
  const host = hostName(url.hostname);
  const addresses = parseAddress(host) ? [host] : await resolveHost(url, host, resolve);
  const isTrusted = trusted.includes(url.origin);
  const exempt = (address: string) => isTrusted || allowed.allows(host, port, address);
  for (const address of addresses) {
    const what = exempt(address) ? null : notPublic(address);
    if (what !== null) throw new PrivateAddress(url.href, host, address, what);
  }
  // Ports of mail, shells and files are no web server's, and a page must not have them spoken to.
  if (port < 1024 && port !== 80 && port !== 443 && !addresses.every(exempt)) {
    throw new BadAddress(url.href, `Port ${port} is not one of the web: use an address without it`);
  }
  return { url, port, addresses };
}

async function resolveHost(url: URL, host: string, resolve: Resolve): Promise<readonly string[]> {
  let addresses: readonly string[];
  try {
    addresses = await resolve(host);
  } catch (cause) {
    if (cause instanceof EgressError) throw cause;
    throw new UnknownHost(url.href, host, { cause });
  }
  if (addresses.length === 0) throw new UnknownHost(url.href, host);
  return [...new Set(addresses)];
}
