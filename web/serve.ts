/**
 * Listening: from an assistant to an address a browser can open.
 *
 * The server listens before the pages are loaded, so that `/healthz` answers while the rest is still starting; every
 * other request waits for it.
 *
 * @module
 */
import type { Assistant, Report } from "../core/assistant.ts";
import { type Config, isLoopback } from "../core/config/mod.ts";
import { AddressRules } from "./address_rules.ts";
import { Doors } from "./doors.ts";
import { guard, type ServerHandler } from "./guard.ts";
import { healthAnswer } from "./health.ts";
import { listenError, OpenToAll } from "./listen_errors.ts";
import { LiveHub } from "./live_hub.ts";
import type { LoadedApp, Mode } from "./app.ts";
import type { Services } from "./services.ts";

/** How often the token file is looked at while sockets are open, in milliseconds. */
const TOKEN_LOOK_MS = 1000;
/** How long requests that still run at the end are waited for, in milliseconds. */
const GOODBYE_MS = 2000;

/** What a server is started with. */
export interface ServeOptions {
  readonly assistant: Assistant;
  /** Where to listen and who may come in. Default the assistant's own. */
  readonly web?: Config["web"];
  /** Aborting it closes the server. */
  readonly signal?: AbortSignal;
  /** Called with the address that signs a browser in, once the server listens. */
  readonly openBrowser?: (url: string) => void | Promise<void>;
  readonly report?: Report;
  /** Loads the pages and routes; tests hand in less. */
  readonly loadApp?: (services: Services, assistant: Assistant, mode?: Mode) => Promise<LoadedApp>;
  /** Default `production`. */
  readonly mode?: Mode;
  readonly tokenLookMs?: number;
}

/** A server that listens. */
export interface RunningServer {
  /** Without a slash at the end; base path included. */
  readonly url: string;
  /** Signs one browser in, once, within ten minutes. The plain address where no login is needed. */
  readonly loginUrl: string;
  readonly port: number;
  /** Resolves when pages and routes are loaded; rejects when they cannot be. */
  readonly loaded: Promise<void>;
  readonly hub: LiveHub;
  /** Says goodbye to sockets (1001), lets running requests end, and stops listening. */
  close(): Promise<void>;
}

/** Starts to listen. Throws `PortTaken`, `CannotListen`, `OpenToAll`, `BadTokenFile`. */
export async function serve(options: ServeOptions): Promise<RunningServer> {
  const { assistant, report = () => {}, signal } = options;
  const web = options.web ?? assistant.config.web;
  if (web.auth === "none" && !isLoopback(web.host)) throw new OpenToAll(web.host);

  const rules = new AddressRules(web.host, web.allowedHosts);
  const app = Promise.withResolvers<LoadedApp>();
  app.promise.catch(() => {});
  let handler: ServerHandler | null = null;
  const answer: ServerHandler = async (request, info) => {
    const health = healthAnswer(request, assistant, web.basePath);
    return health ?? await (handler ?? (await app.promise).handler)(request, info);
  };
  const { port, end } = listen(web, guard(answer, rules, report));

  try {
    const url = publicUrl(web, port);
    const doors = await Doors.open({
      dataDir: assistant.config.dataDir,
      auth: web.auth,
      port,
      basePath: web.basePath,
      isSecure: (request) => rules.isSecure(request),
    });
    const load = options.loadApp ?? (await import("./app.ts")).loadApp;
    const hub = new LiveHub({ assistant, report, page: async () => await (await app.promise).pageHash() });
    doors.onRotation(() => hub.endAllSessions());
    doors.onSignOut((session) => hub.endSession(session));
    const services: Services = { doors, hub, report, publicUrl: url, basePath: web.basePath };

    const loaded = load(services, assistant, options.mode).then((whole) => {
      handler = whole.handler;
      app.resolve(whole);
    });
    loaded.catch((error) => {
      report("ERROR", "web", `The pages cannot be loaded: ${error instanceof Error ? error.message : String(error)}`);
      app.reject(error);
    });

    const look = setInterval(() => {
      if (hub.size > 0) void doors.lookAgain().catch(() => {});
    }, options.tokenLookMs ?? TOKEN_LOOK_MS);
    let closing: Promise<void> | null = null;
    const close = () => {
      clearInterval(look);
      hub.close();
      return closing ??= end();
    };
    signal?.addEventListener("abort", () => void close(), { once: true });

    await assistant.storage.announceAddress(url).catch(() => {});
    const loginUrl = doors.needsLogin ? `${url}/login?code=${(await doors.createCode()).code}` : `${url}/`;
    report("INFO", "web", `listening on ${url}`);
    await options.openBrowser?.(loginUrl);
    if (signal?.aborted) await close();
    return { url, loginUrl, port, loaded, hub, close };
  } catch (error) {
    app.reject(error);
    await end();
    throw error;
  }
}

interface Listener {
  readonly port: number;
  /** Stops listening; requests that still run have a moment to end. */
  end(): Promise<void>;
}

function listen(web: Config["web"], handler: ServerHandler): Listener {
  const hostname = web.host.replace(/^\[(.*)\]$/, "$1");
  const options = { hostname, port: web.port, automaticCompression: true, onListen: () => {} };
  try {
    const server = Deno.serve(options, handler);
    return { port: server.addr.port, end: () => endServer(server) };
  } catch (error) {
    throw listenError(error, web.host, web.port);
  }
}

/**
 * What is not over by then ends with the process. Aborting the server's signal after `shutdown()` is no way to end it: Deno
 * 2.9.6 throws "Bad resource ID" out of the abort, which would end the process before the turns that run are recorded.
 */
async function endServer(server: Deno.HttpServer): Promise<void> {
  const late = Promise.withResolvers<void>();
  const timer = setTimeout(() => late.resolve(), GOODBYE_MS);
  await Promise.race([server.shutdown(), late.promise]);
  clearTimeout(timer);
}

/** What a person types. A server that listens everywhere is reached on this machine by its own name. */
function publicUrl({ host, basePath }: Config["web"], port: number): string {
  const name = ["0.0.0.0", "::", "[::]"].includes(host)
    ? "localhost"
    : host.includes(":") && !host.startsWith("[")
    ? `[${host}]`
    : host;
  return `http://${name}:${port}${basePath}`;
}
