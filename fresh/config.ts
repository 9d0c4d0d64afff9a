/** What an app may be made with. */
export interface FreshConfig {
  /** The path prefix everything is served under, e.g. `/malama`; empty by default. */
  readonly basePath?: string;
  readonly mode?: Mode;
  /** Take scheme and host of `ctx.url` from `X-Forwarded-Proto` and `X-Forwarded-Host`. Only behind a proxy that sets them. */
  readonly trustProxy?: boolean;
}

/** Whether stale islands are rebuilt while serving. */
export type Mode = "development" | "production";

/** The settings an app runs with. */
export interface AppConfig {
  /** The folder of the app; the working directory until a build is applied. */
  readonly root: string;
  readonly basePath: string;
  readonly mode: Mode;
  readonly trustProxy: boolean;
}

/** Fills in the defaults. A base path is kept without a slash at its end. */
export function resolveConfig(config: FreshConfig = {}): AppConfig {
  const base = (config.basePath ?? "").replace(/\/+$/, "");
  return {
    root: Deno.cwd(),
    basePath: base === "" || base.startsWith("/") ? base : `/${base}`,
    mode: config.mode ?? "production",
    trustProxy: config.trustProxy ?? false,
  };
}
