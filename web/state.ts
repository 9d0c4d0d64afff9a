/**
 * What every handler, page and layout finds in `ctx.state`.
 *
 * @module
 */
import { createDefine } from "fresh";
import type { Assistant } from "../core/assistant.ts";
import type { Services } from "./services.ts";
import type { Shell } from "./shell.ts";

/** How a request showed who it is: a page's cookie, a program's token, or `none` where `[web] auth = "none"`. */
export type Auth = "cookie" | "bearer" | "none";

/** The colours a person chose; `auto` follows the machine. */
export type Theme = "auto" | "light" | "dark";

/** The state of one request. */
export interface State {
  assistant: Assistant;
  /** `null` on what is open to all, such as `/login`. */
  auth: Auth | null;
  theme: Theme;
  /** The files the page needs to open; `null` for a handler that is tested without them. */
  shell: Shell | null;
  /** What the routes share besides the assistant: the doors, the live hub, the report of what went wrong. */
  services: Services;
  /** Id of the browser session, where there is one. */
  session: string | null;
  /** The address the request came from, for limits on failures. */
  address: string;
}

/** Gives routes, layouts and middlewares their types. */
export const define = createDefine<State>();

/** The name of the cookie that holds the theme, so that the server renders it without a flash. */
export const THEME_COOKIE = "malama_theme";

/** Reads the theme out of a `Cookie` header. */
export function themeOf(cookies: ReadonlyMap<string, string>): Theme {
  const value = cookies.get(THEME_COOKIE);
  return value === "light" || value === "dark" ? value : "auto";
}
