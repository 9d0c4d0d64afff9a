/**
 * What `/healthz` says: also while the rest is still starting.
 *
 * @module
 */
import type { Assistant } from "../core/assistant.ts";

/** The health of a running Malama: it answers, so it is ok; `ready` once its start is finished. */
export function healthOf(
  assistant: Pick<Assistant, "version" | "ready">,
): { readonly status: "ok"; readonly version: string; readonly ready: boolean } {
  return { status: "ok", version: assistant.version, ready: assistant.ready };
}
