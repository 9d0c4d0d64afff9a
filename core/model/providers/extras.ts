/**
 * `;extra.<key>=<json>` flags: fields of the body that we know nothing of (FACTS C0.13).
 *
 * @module
 */
import type { ModelString } from "../model_string.ts";
import type { Body } from "./codec.ts";
import { asRecord } from "./wire_value.ts";

const PREFIX = "extra.";

/** The body with the model string's extra fields. An object joins the one that is there already; anything else replaces. */
export function withExtras(body: Body, model: ModelString): Body {
  const result: Record<string, unknown> = { ...body };
  for (const [flag, value] of Object.entries(model.flags)) {
    if (!flag.startsWith(PREFIX)) continue;
    const key = flag.slice(PREFIX.length);
    const extra = value === true ? true : parse(value);
    const joins = isObject(extra) && isObject(result[key]);
    result[key] = joins ? { ...asRecord(result[key]), ...asRecord(extra) } : extra;
  }
  return result;
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A value that is not JSON is text, so that `;extra.keep_alive=5m` does what it says. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
