/**
 * Random secrets, message authentication, and comparison that takes the same time wherever the difference is.
 *
 * @module
 */
const encoder = new TextEncoder();

/** Random bytes as base64url without padding. */
export function randomSecret(bytes: number): string {
  return crypto.getRandomValues(new Uint8Array(bytes)).toBase64({ alphabet: "base64url", omitPadding: true });
}

/** HMAC-SHA256 of `message` under `secret`, as base64url without padding. */
export async function authenticationCode(secret: string, message: string): Promise<string> {
  const key = await crypto.subtle.importKey("raw", encoder.encode(secret), { name: "HMAC", hash: "SHA-256" }, false, [
    "sign",
  ]);
  const code = await crypto.subtle.sign("HMAC", key, encoder.encode(message));
  return new Uint8Array(code).toBase64({ alphabet: "base64url", omitPadding: true });
}

/** SHA-256 of a text, as base64url without padding. */
export async function digest(text: string): Promise<string> {
  const hash = await crypto.subtle.digest("SHA-256", encoder.encode(text));
  return new Uint8Array(hash).toBase64({ alphabet: "base64url", omitPadding: true });
}

/** Whether two secrets are equal. Their digests are compared, whole, so neither length nor place of a difference shows. */
export async function sameSecret(a: string, b: string): Promise<boolean> {
  const [left, right] = await Promise.all([digest(a), digest(b)]);
  let difference = left.length ^ right.length;
  for (let at = 0; at < left.length; at++) difference |= left.charCodeAt(at) ^ right.charCodeAt(at);
  return difference === 0;
}
