/**
 * Which letters bytes stand for: a byte order mark, then what the server says, then what the page says, then what fits.
 *
 * @module
 */

/** How far into a page its own word on the charset is looked for, in bytes. */
const PRESCAN = 4_096;

/** Bytes as text. `label` is the charset of the `content-type`, if it has one. */
export function decodeText(bytes: Uint8Array, label: string | null): string {
  const charset = markOf(bytes) ?? known(label) ?? known(declared(bytes)) ?? (isUtf8(bytes) ? "utf-8" : "windows-1252");
  return new TextDecoder(charset).decode(bytes);
}

/** The charset of a `content-type`, or `null`. */
export function charsetOf(contentType: string): string | null {
  return /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(contentType)?.[1] ?? null;
}

function markOf(bytes: Uint8Array): string | null {
  const [first, second, third] = bytes;
  if (first === 0xef && second === 0xbb && third === 0xbf) return "utf-8";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return null;
}

/** What HTML or XML says of itself. A page that can be read this far is not in UTF-16, whatever it says. */
function declared(bytes: Uint8Array): string | null {
  const start = new TextDecoder("windows-1252").decode(bytes.subarray(0, PRESCAN));
  const label = /<meta[^>]+charset\s*=\s*["']?\s*([\w:.-]+)/i.exec(start)?.[1] ??
    /^\s*<\?xml[^>]+encoding\s*=\s*["']([\w:.-]+)/i.exec(start)?.[1] ?? null;
  return label !== null && /^utf-?16/i.test(label) ? "utf-8" : label;
}

function known(label: string | null): string | null {
  if (label === null) return null;
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return null;
  }
}

/** Whether it reads as UTF-8. A last character that is cut off is no fault where there are others of its kind. */
function isUtf8(bytes: Uint8Array): boolean {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true });
    const isWhole = new TextEncoder().encode(text).byteLength === bytes.byteLength;
    return isWhole || /[^\0-\x7f]/.test(text);
  } catch {
    return false;
  }
}
