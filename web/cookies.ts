/**
 * Reading and writing cookie headers.
 *
 * @module
 */

/** The cookies of a request. Of two with one name the first counts: it is the one with the longer path. */
export function cookiesOf(headers: Headers): ReadonlyMap<string, string> {
  const cookies = new Map<string, string>();
  for (const pair of (headers.get("cookie") ?? "").split(";")) {
    const at = pair.indexOf("=");
    if (at < 0) continue;
    const name = pair.slice(0, at).trim();
    if (!cookies.has(name)) cookies.set(name, pair.slice(at + 1).trim());
  }
  return cookies;
}

/** A `Set-Cookie` value for our own pages alone. `maxAge` in seconds; 0 removes it. */
export function setCookie(
  name: string,
  value: string,
  options: { path: string; maxAge: number; secure: boolean },
): string {
  const parts = [
    `${name}=${value}`,
    `Path=${options.path}`,
    `Max-Age=${options.maxAge}`,
    "HttpOnly",
    "SameSite=Strict",
  ];
  if (options.secure) parts.push("Secure");
  return parts.join("; ");
}
