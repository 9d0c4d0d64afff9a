/**
 * The services that lookups ask: a search, an encyclopedia, a weather service. A person chooses them in `[lookup]`, so they may
 * stand in a private network.
 *
 * @module
 */
import type { Config } from "../config/mod.ts";
import { serviceKey } from "../tool/mod.ts";

/** What a search is asked by. */
export type SearchKind = "searxng" | "brave";

/** Where lookups go. Addresses have no slash at the end. */
export interface Lookup {
  readonly search: {
    readonly kind: SearchKind;
    readonly url: string;
    /** From `MALAMA_SEARCH_KEY`, for a service that wants one. */
    readonly key?: string;
    /** Whether anybody named it; otherwise it is the usual place on this machine, where there may be nothing. */
    readonly isNamed: boolean;
  };
  /** `{language}` stands for the code of a language, such as `en`. */
  readonly wikipediaUrl: string;
  readonly weatherUrl: string;
  readonly geocodingUrl: string;
}

/** The services, for a toolset's `service(LOOKUP)`. */
export const LOOKUP = serviceKey<Lookup>("lookup");

const USUAL_PLACE: Readonly<Record<SearchKind, string>> = {
  searxng: "http://localhost:8080",
  brave: "https://api.search.brave.com",
};

/** The services as the file and the environment name them: the file goes before `SEARXNG_BASE_URL` (K-022). */
export function lookupOf(settings: Config["lookup"], env: (name: string) => string | undefined): Lookup {
  const { searchKind: kind } = settings;
  const named = settings.searchUrl ?? (kind === "searxng" ? env("SEARXNG_BASE_URL") || undefined : undefined);
  const key = env("MALAMA_SEARCH_KEY");
  return {
    search: {
      kind,
      url: withoutSlash(named ?? USUAL_PLACE[kind]),
      isNamed: named !== undefined || kind !== "searxng",
      ...key ? { key } : {},
    },
    wikipediaUrl: withoutSlash(settings.wikipediaUrl),
    weatherUrl: withoutSlash(settings.weatherUrl),
    geocodingUrl: withoutSlash(settings.geocodingUrl),
  };
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, "");
}
