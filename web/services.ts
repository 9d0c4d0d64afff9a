/**
 * What the routes share besides the assistant.
 *
 * @module
 */
import type { Report } from "../core/assistant.ts";
import type { Doors } from "./doors.ts";
import type { LiveHub } from "./live_hub.ts";

export type { Report };

/** Made once by `serve()`, found by every handler in `ctx.state`. */
export interface Services {
  readonly doors: Doors;
  readonly hub: LiveHub;
  readonly report: Report;
  /** What a person types to reach the page, base path included, without a slash at the end. */
  readonly publicUrl: string;
  /** Empty, or a path that starts with `/` and does not end with one. */
  readonly basePath: string;
}
