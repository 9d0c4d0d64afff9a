/**
 * Where Malama is reached, where it keeps things, and what models cost.
 *
 * @module
 */
import { z } from "zod";
import { key, section } from "../key_rule.ts";
import { isAbsolutePath } from "../paths.ts";
import { names, port, text } from "./values.ts";

const amount = () => z.number().min(0);

/** `[web]`. */
export const web = section("web", "The page and the calls for other programs", {
  host: key(text().default("127.0.0.1"), "Address to listen on"),
  port: key(port().default(8000), "Port to listen on; 0 takes any free one"),
  auth: key(
    z.enum(["token", "none"]).default("token"),
    'Who gets in: whoever holds the token, or with "none" everyone on this machine (loopback hosts only)',
  ),
  allowed_hosts: key(names().default([]), "Further names a proxy may use in the `Host` header"),
  base_path: key(
    z.string().regex(
      /^(\/(?!\.{1,2}(?:\/|$))[A-Za-z0-9._~-]+)*$/,
      'must be empty, or start with "/" and not end with it, and hold no steps like ".."',
    ).default(""),
    "Prefix it is served under behind a proxy",
  ),
});

/** `[paths]`. */
export const paths = section("paths", "Folders", {
  data_dir: key(
    z.string().refine(isAbsolutePath, "must be an absolute path").optional(),
    "Where everything is kept; `data` in `$MALAMA_HOME` (or `~/.malama`) when not written",
  ),
});

/** `[storage]`. */
export const storage = section("storage", "The database", {
  url: key(
    z.string().regex(/^(file|https?|libsql|wss?):./, 'must start with "file:", "http:", "https:" or "libsql:"')
      .optional(),
    "`file:<path>`, or a libSQL server (its token in `MALAMA_STORAGE_TOKEN`); `malama.db` in the data folder when not written",
  ),
});

/** `[frontend]`. */
export const frontend = section("frontend", "What a bare `malama` starts", {
  name: key(text().default("web"), '"web" or "cli"'),
});

/** `[logging]`. */
export const logging = section("logging", "The log file", {
  level: key(z.enum(["DEBUG", "INFO", "WARNING", "ERROR"]).default("INFO"), "The least that is written down"),
});

/** An address of a service, with or without a path. */
const serviceUrl = () => z.string().regex(/^https?:\/\/[^\s?#@]+$/, 'must be an address such as "https://example.org"');

/** `[lookup]`. The key of a search service is `MALAMA_SEARCH_KEY` in the environment. */
export const lookup = section(
  "lookup",
  "The services that lookups on the web ask; the key of a search service is `MALAMA_SEARCH_KEY` in the environment",
  {
    search_kind: key(
      z.enum(["searxng", "brave"]).default("searxng"),
      'What the search speaks: "searxng" (its JSON format has to be on), or "brave" for the calls of Brave Search',
    ),
    search_url: key(
      serviceUrl().optional(),
      "Where the search is; `SEARXNG_BASE_URL`, else `http://localhost:8080`, or Brave's own, when not written",
    ),
    wikipedia_url: key(
      serviceUrl().default("https://{language}.wikipedia.org"),
      "The encyclopedia; `{language}` stands for the code of a language",
    ),
    weather_url: key(serviceUrl().default("https://api.open-meteo.com"), "Weather, in the form of Open-Meteo"),
    geocoding_url: key(
      serviceUrl().default("https://geocoding-api.open-meteo.com"),
      "Where places are, in the form of Open-Meteo",
    ),
  },
);

/** `[prices]`: over the catalogue's. */
export const prices = section(
  "prices",
  'US dollars per million tokens, by `"provider:model"`; over the catalogue',
  {},
  {
    each: key(
      z.strictObject({
        input: amount(),
        output: amount(),
        cache_read: amount().optional(),
        cache_write: amount().optional(),
      }),
      "What the model's tokens cost",
    ),
  },
);
