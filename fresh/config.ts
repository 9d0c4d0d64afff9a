/** Whether stale islands are rebuilt while serving. */
export type Mode = "development" | "production";

/** The settings an app runs with. */
export interface AppConfig {
  /** The folder of the app; the working directory until a build is applied. */
  readonly root: string;
  /** The path prefix everything is served under, e.g. `/app`; empty by default. */
  readonly basePath: string;
  /**
   * Whether a proxy in front may have taken the base path away: a path outside of it is then read as one below it. Not in
   * the original, which answers such a path 404.
   */
  readonly mayBeStripped: boolean;
  readonly mode: Mode;
}

/** What an app may be made with. */
export type FreshConfig = Partial<Omit<AppConfig, "root">>;

/** Fills in the defaults. A base path is kept with a slash at its start and none at its end. */
export function resolveConfig({ basePath = "", mayBeStripped = false, mode = "production" }: FreshConfig): AppConfig {
  const base = basePath.replace(/^\/+|\/+$/g, "");
  return { root: Deno.cwd(), basePath: base === "" ? "" : `/${base}`, mayBeStripped, mode };
}
