/**
 * IP addresses, and which of them are public. A name says nothing: only the address that is connected to counts.
 *
 * Invariants (tests/core/egress/address_test.ts)
 * 1. What is not known to be public is not public: IPv6 is let through inside of 2000::/3 alone, so that an IPv4 address
 *    in IPv6 clothes (mapped, NAT64) never is.
 * 2. Only the plain spellings are addresses: `127.1`, `0x7f.1` and `2130706433` are refused here and read as 127.0.0.1 by `URL`.
 *
 * @module
 */

/** An address as its bytes: 4 of IPv4, or 16 of IPv6. */
export type AddressBytes = readonly number[];

/** A range of addresses, as `10.0.0.0/8` spells it. */
export interface AddressRange {
  readonly bytes: AddressBytes;
  /** How many leading bits count. */
  readonly bits: number;
}

/** Ranges of IPv4 that are not public, by what they are (IANA special-purpose registry, and the clouds' own). */
const SPECIAL_V4: readonly (readonly [range: string, what: string])[] = [
  ["0.0.0.0/8", "an unspecified address"],
  ["10.0.0.0/8", "a private address"],
  ["100.64.0.0/10", "an address inside of a provider's network"],
  ["127.0.0.0/8", "this machine itself"],
  ["169.254.0.0/16", "a link-local address, where clouds keep their metadata"],
  ["172.16.0.0/12", "a private address"],
  ["192.0.0.0/24", "a reserved address"],
  ["192.0.2.0/24", "an address of examples"],
  ["192.88.99.0/24", "a reserved address"],
  ["192.168.0.0/16", "a private address"],
  ["198.18.0.0/15", "an address of network tests"],
  ["198.51.100.0/24", "an address of examples"],
  ["203.0.113.0/24", "an address of examples"],
  ["168.63.129.16/32", "an address where a cloud keeps its metadata"],
  ["224.0.0.0/4", "a multicast address"],
  ["240.0.0.0/4", "a reserved address"],
];

/** The same of IPv6; whatever is in none of them and outside of 2000::/3 is reserved. */
const SPECIAL_V6: readonly (readonly [range: string, what: string])[] = [
  ["::/128", "an unspecified address"],
  ["::1/128", "this machine itself"],
  ["::ffff:0:0/96", "an IPv4 address in the form of IPv6"],
  ["64:ff9b::/96", "an IPv4 address in the form of IPv6"],
  ["64:ff9b:1::/48", "an IPv4 address in the form of IPv6"],
  ["2001::/23", "a reserved or tunnelled address"],
  ["2001:db8::/32", "an address of examples"],
  ["2002::/16", "an IPv4 address in the form of IPv6"],
  ["3fff::/20", "an address of examples"],
  ["fc00::/7", "a private address"],
  ["fe80::/10", "a link-local address"],
  ["fec0::/10", "a private address"],
  ["ff00::/8", "a multicast address"],
];

const GLOBAL_V6 = range("2000::/3");
const SPECIAL = [...SPECIAL_V4, ...SPECIAL_V6].map(([text, what]) => ({ range: range(text), what }));

/** What a non-public address is ("a private address"), or `null` for a public one. What is no address is not public. */
export function notPublic(address: string): string | null {
  const bytes = parseAddress(address);
  if (bytes === null) return "no address";
  const found = SPECIAL.find(({ range }) => inRange(bytes, range));
  if (found) return found.what;
  return bytes.length === 4 || inRange(bytes, GLOBAL_V6) ? null : "a reserved address";
}

/** Reads `192.0.2.1` or `2001:db8::1`; `null` for all else, other spellings of the same number included. */
export function parseAddress(text: string): AddressBytes | null {
  return text.includes(":") ? parseV6(text) : parseV4(text);
}

/** Reads `10.0.0.0/8`, or a single address; `null` for all else. */
export function parseRange(text: string): AddressRange | null {
  const [address = "", bits, ...more] = text.split("/");
  const bytes = parseAddress(address);
  if (bytes === null || more.length > 0) return null;
  const most = bytes.length * 8;
  if (bits === undefined) return { bytes, bits: most };
  return /^\d{1,3}$/.test(bits) && Number(bits) <= most ? { bytes, bits: Number(bits) } : null;
}

/** Whether an address is in a range; never across the two families. */
export function inRange(bytes: AddressBytes, { bytes: start, bits }: AddressRange): boolean {
  if (bytes.length !== start.length) return false;
  return bytes.every((byte, at) => {
    const counted = Math.max(0, Math.min(8, bits - at * 8));
    const mask = (0xff << (8 - counted)) & 0xff;
    return (byte & mask) === ((start[at] ?? 0) & mask);
  });
}

function parseV4(text: string): AddressBytes | null {
  const parts = text.split(".");
  if (parts.length !== 4 || !parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part))) return null;
  const bytes = parts.map(Number);
  return bytes.every((byte) => byte <= 255) ? bytes : null;
}

function parseV6(text: string): AddressBytes | null {
  const [head = "", tail, ...more] = text.split("::");
  if (more.length > 0) return null;
  const before = groups(head);
  const after = tail === undefined ? [] : groups(tail);
  if (before === null || after === null) return null;
  const missing = 16 - before.length - after.length;
  if (tail === undefined ? missing !== 0 : missing < 2) return null;
  return [...before, ...new Array<number>(missing).fill(0), ...after];
}

/** The bytes of `2001:db8` or `ffff:192.0.2.1`; IPv4 may stand at the end alone. */
function groups(text: string): number[] | null {
  if (text === "") return [];
  const bytes: number[] = [];
  const parts = text.split(":");
  for (const [at, part] of parts.entries()) {
    if (part.includes(".") && at === parts.length - 1) {
      const v4 = parseV4(part);
      if (v4 === null) return null;
      bytes.push(...v4);
    } else if (/^[0-9a-f]{1,4}$/i.test(part)) {
      const number = parseInt(part, 16);
      bytes.push(number >> 8, number & 0xff);
    } else return null;
  }
  return bytes;
}

function range(text: string): AddressRange {
  const read = parseRange(text);
  if (read === null) throw new TypeError(`"${text}" is no range of addresses`);
  return read;
}
