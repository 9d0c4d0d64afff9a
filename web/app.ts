/**
 * The web application: static files, then who is asking, then the routes.
 *
 * @module
 */
import { App, staticFiles } from "fresh";
import { Builder } from "fresh/dev";
import type { Assistant } from "../core/assistant.ts";
import type { ServerHandler } from "./guard.ts";
import type { Services } from "./services.ts";
import { Shell } from "./shell.ts";
import type { State } from "./state.ts";

/** Whether stale islands are rebuilt while serving. */
export type Mode = "development" | "production";

/** An application that can answer. */
export interface LoadedApp {
  readonly handler: ServerHandler;
  /** A hash of the shipped page: a tab that holds another reloads. */
  pageHash(): Promise<string>;
}

/** The application without its files: what every request is given, and what lies in `static/`. */
export function createApp(services: Services, assistant: Assistant): App<State> {
  return new App<State>({ basePath: services.basePath, mayBeStripped: true })
    .use((ctx) => {
      ctx.state.assistant = assistant;
      ctx.state.services = services;
      ctx.state.auth = null;
      ctx.state.session = null;
      ctx.state.shell = null;
      ctx.state.theme = "auto";
      ctx.state.address = "hostname" in ctx.info.remoteAddr ? ctx.info.remoteAddr.hostname : "local";
      return ctx.next();
    })
    .use(staticFiles());
}

/** Finds the routes and islands and makes the application whole. In development, stale islands are rebuilt while serving. */
export async function loadApp(services: Services, assistant: Assistant, mode: Mode = "production"): Promise<LoadedApp> {
  const apply = await new Builder({ root: new URL("../", import.meta.url) }).build({ mode });
  const app = createApp(services, assistant);
  apply(app);
  const shell = new Shell(apply.snapshot, services.basePath);
  app.use((ctx) => {
    ctx.state.shell = shell;
    return ctx.next();
  });
  return { handler: app.fsRoutes().handler(), pageHash: () => pageHash(shell, services) };
}

async function pageHash(shell: Shell, { report }: Services): Promise<string> {
  try {
    return await shell.hash();
  } catch (error) {
    // The page says so itself when it is opened; the socket is there for the terminal too.
    report(
      "ERROR",
      "web",
      `The page's scripts cannot be built: ${error instanceof Error ? error.message : String(error)}`,
    );
    return shell.styleHash;
  }
}
