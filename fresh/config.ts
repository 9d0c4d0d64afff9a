/** Whether stale islands are rebuilt while serving. */
export type Mode = "development" | "production";

/** The settings an app runs with. */
export interface AppConfig {
  /** The folder of the app; the working directory until a build is applied. */
  readonly root: string;
  /** The path prefix everything is served under, e.g. `/app`; empty by default. */
  readonly basePath: string;
  readonly mode: Mode;
}

/** What an app may be made with. */
export type FreshConfig = Partial<Omit<AppConfig, "root">>;

/** Fills in the defaults. A base path is kept with a slash at its start and none at its end. */
export function resolveConfig({ basePath = "", mode = "production" }: FreshConfig): AppConfig {
  const base = basePath.replace(/^\/+|\/+$/g, "");
  return { root: Deno.cwd(), basePath: base === "" ? "" : `/${base}`, mode };
}
