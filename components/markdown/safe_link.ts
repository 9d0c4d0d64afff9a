/**
 * Where a link may lead.
 *
 * @module
 */
import { decodeEntities } from "./entities.ts";

/** The address a link may lead to, or `null`. Only absolute ones, and only of three kinds. */
export function safeLink(href: string): string | null {
  const text = decodeEntities(href).trim();
  if (!/^(?:https?:\/\/|mailto:)/i.test(text)) return null;
  try {
    const url = new URL(text);
    return ["http:", "https:", "mailto:"].includes(url.protocol) ? url.href : null;
  } catch {
    return null;
  }
}
