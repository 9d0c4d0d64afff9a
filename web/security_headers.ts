/**
 * The headers every answer carries.
 *
 * @module
 */

/** No inline script or style, nothing from another host, no frame around us. Our own socket counts as `'self'`. */
export const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");

const HEADERS: readonly (readonly [string, string])[] = [
  ["content-security-policy", CONTENT_SECURITY_POLICY],
  ["x-content-type-options", "nosniff"],
  // Not `no-referrer`: under that a form of our own would say `Origin: null` and be refused. Other hosts hear nothing.
  ["referrer-policy", "same-origin"],
  ["x-frame-options", "DENY"],
  ["cross-origin-opener-policy", "same-origin"],
  ["cross-origin-resource-policy", "same-origin"],
  ["permissions-policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()"],
];

/** Adds them to an answer; one that it has already stays. A socket's 101 goes out as it is. */
export function withSecurityHeaders(response: Response): Response {
  if (response.status === 101) return response;
  try {
    addHeaders(response.headers);
    return response;
  } catch (error) {
    // `Response.redirect()` and fetched answers do not let their headers be changed.
    if (!(error instanceof TypeError)) throw error;
    const headers = new Headers(response.headers);
    addHeaders(headers);
    return new Response(response.body, { status: response.status, statusText: response.statusText, headers });
  }
}

function addHeaders(headers: Headers): void {
  for (const [name, value] of HEADERS) if (!headers.has(name)) headers.set(name, value);
  if (!headers.has("cache-control")) headers.set("cache-control", cachingOf(headers.get("content-type")));
}

/** A page may be kept for going back to; nothing else is kept unless it says so. */
function cachingOf(type: string | null): string {
  return type?.startsWith("text/html") ? "private, no-cache" : "no-store";
}
