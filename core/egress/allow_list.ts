/**
 * What `[security] allow_private_network` lets tools reach besides public addresses.
 *
 * An entry is a host name, an address, a range (`10.0.0.0/8`, `fd00::/8`), or a name or address with a port (`nas.local:5000`,
 * `[fd00::1]:80`). A name allows whatever it resolves to; an address or a range allows every name that resolves into it.
 *
 * Invariant: an entry that is none of these is refused by name; it never allows anything (tests/core/egress/allow_list_test.ts).
 *
 * @module
 */
import { type AddressRange, inRange, parseAddress, parseRange } from "./address.ts";

/** An entry of `allow_private_network` cannot be read; `message` says what is accepted. */
export class BadAllowEntry extends Error {
  override readonly name = "BadAllowEntry";
  constructor(readonly entry: string) {
    super(
      `"${entry}" must be a host, host:port, an address or a range, such as "nas.local", "nas.local:5000" or "192.168.1.0/24"`,
    );
  }
}

interface Entry {
  readonly host?: string;
  readonly range?: AddressRange;
  readonly port?: number;
}

/** The list, ready to be asked. Throws `BadAllowEntry`. */
export class AllowList {
  readonly #entries: readonly Entry[];

  constructor(entries: readonly string[]) {
    this.#entries = entries.map(readEntry);
  }

  /** Whether this address may be connected to under this host name, as `URL.hostname` gives it. */
  allows(host: string, port: number, address: string): boolean {
    const bytes = parseAddress(address);
    const name = hostName(host);
    return this.#entries.some((entry) => {
      if (entry.port !== undefined && entry.port !== port) return false;
      if (entry.range) return bytes !== null && inRange(bytes, entry.range);
      return entry.host === name;
    });
  }
}

/** A host as it is compared: lower case, without brackets and without the dot at the end. */
export function hostName(host: string): string {
  return host.toLowerCase().replace(/^\[(.*)\]$/, "$1").replace(/\.$/, "");
}

function readEntry(text: string): Entry {
  const range = parseRange(text.replace(/^\[(.*)\]$/, "$1"));
  if (range) return { range };
  const [, bracketed, plain, port] = /^(?:\[([^\]]+)\]|([^:/\s]+))(?::(\d{1,5}))?$/.exec(text) ?? [];
  const host = bracketed ?? plain;
  if (host === undefined || port !== undefined && Number(port) > 65535) throw new BadAllowEntry(text);
  const at = port === undefined ? {} : { port: Number(port) };
  const address = parseRange(host);
  if (address) return { range: address, ...at };
  const name = canonicalName(host);
  if (bracketed !== undefined || name === null) throw new BadAllowEntry(text);
  return { host: name, ...at };
}

/** A name in the form `URL` gives it, so that `Büro.local` is found; `null` for what is none, numbers in disguise included. */
function canonicalName(host: string): string | null {
  try {
    const { hostname } = new URL(`http://${host}/`);
    return parseAddress(hostname) === null && !/[*@?#\\]/.test(host) ? hostName(hostname) : null;
  } catch {
    return null;
  }
}
