import type { LayoutConfig, MaybeLazy, Route, RouteComponent, RouteConfig } from "./component.ts";
import { type AppConfig, type FreshConfig, resolveConfig } from "./config.ts";
import type { Method, Middleware, MiddlewareFn } from "./handlers.ts";
import { listen, type ListenOptions } from "./listen.ts";
import { type Command, prefixed, Registration } from "./registration.ts";
import { answerRequest } from "./request.ts";
import type { Snapshot } from "./snapshot.ts";
import type { WebSocketHandlers, WebSocketUpgradeOptions } from "./web_socket.ts";

/** A middleware, or a function that imports one. */
export type MaybeLazyMiddleware<State> = MiddlewareFn<State> | (() => Promise<MiddlewareFn<State>>);

/**
 * A web application: middlewares, routes and pages in the order they are registered. A route is surrounded by what was
 * registered before it, and by nothing that comes later.
 *
 * @example
 * ```ts
 * import { App } from "fresh";
 * const app = new App().get("/hello/:name", (ctx) => ctx.text(`Aloha ${ctx.params.name}`));
 * const answer = await app.handler()(new Request("http://localhost/hello/Kai"));
 * ```
 */
export class App<State = unknown> {
  /** The settings the app runs with; `root` and `mode` are those of the build once one is applied. */
  config: AppConfig;
  readonly #commands: Command<State>[] = [];
  #snapshot: Snapshot | null = null;

  constructor(config: FreshConfig = {}) {
    this.config = resolveConfig(config);
  }

  /** Answers GET, and HEAD where `head()` does not. */
  readonly get = this.#verb("GET");
  /** Answers POST. */
  readonly post = this.#verb("POST");
  /** Answers PATCH. */
  readonly patch = this.#verb("PATCH");
  /** Answers PUT. */
  readonly put = this.#verb("PUT");
  /** Answers DELETE. */
  readonly delete = this.#verb("DELETE");
  /** Answers HEAD. */
  readonly head = this.#verb("HEAD");
  /** Answers every method. */
  readonly all = this.#verb("ALL");

  /** Runs middlewares for every request, or for the routes at and below a path. */
  use(...middlewares: Middleware<State>[]): this;
  use(path: string, ...middlewares: Middleware<State>[]): this;
  use(first: string | Middleware<State>, ...rest: Middleware<State>[]): this {
    const [path, middlewares] = typeof first === "string" ? [first, rest] : ["*", [first, ...rest]];
    return this.#add({ kind: "middleware", path, middlewares: middlewares.flat() as MiddlewareFn<State>[] });
  }

  /** Answers what no route answers, and every `HttpError` 404. */
  notFound<Data>(route: Route<Data, State> | MiddlewareFn<State>): this {
    return this.#add({ kind: "not_found", path: "*", route: asRoute(route) });
  }

  /** Answers what is thrown at and below a path; the thrown value is `ctx.error`. */
  onError<Data>(path: string, route: Route<Data, State> | MiddlewareFn<State>): this {
    return this.#add({ kind: "error", path, route: asRoute(route) });
  }

  /** The component that holds `<html>`, around every page registered later. */
  appWrapper(component: RouteComponent<never, State>): this {
    return this.#add({ kind: "app", path: "*", route: asRoute({ component }) });
  }

  /** A component around the pages at and below a path. */
  layout(path: string, component: RouteComponent<never, State>, config?: LayoutConfig): this {
    return this.#add({ kind: "layout", path, route: asRoute({ component, config }) });
  }

  /** A route with a handler, a component, or both; a method it does not name is 405. */
  route<Data>(path: string, route: MaybeLazy<Route<Data, State>>, config?: RouteConfig): this {
    return this.#add({ kind: "route", segment: path, path, route: route as unknown as MaybeLazy<Route>, config });
  }

  /** Opens a web socket for each request to a path; what is not an upgrade is answered 400. */
  ws(path: string, handlers: WebSocketHandlers, options?: WebSocketUpgradeOptions): this {
    return this.get(path, (ctx) => ctx.upgrade(handlers, options));
  }

  /** Registers the routes that the applied build found in `routes/`, below a path when one is given. */
  fsRoutes(pattern = "*"): this {
    return this.#add({ kind: "files", path: pattern });
  }

  /** Registers all that another app holds, below a path. */
  mountApp(path: string, app: App<State>): this {
    for (const command of app.#commands) this.#add(prefixed(command, path));
    return this;
  }

  /** Gives the app the files a build found. `Builder.build()` answers a function that calls this. */
  applySnapshot(snapshot: Snapshot): this {
    const mode = snapshot.isDevelopment ? "development" : "production";
    this.#snapshot = snapshot;
    this.config = { ...this.config, root: snapshot.root, mode };
    return this;
  }

  /** The function that answers requests, for `Deno.serve` or a test. What is registered afterwards is not in it. */
  handler(): (req: Request, info?: Deno.ServeHandlerInfo) => Promise<Response> {
    const app = { config: this.config, snapshot: this.#snapshot };
    const registration = new Registration<State>(this.#commands, this.#snapshot);
    return (req, info) => answerRequest(registration, { ...app, req, info });
  }

  /** Serves the app until the signal aborts. With no port it takes the first free one of 8000–8019. */
  async listen(options: ListenOptions = {}): Promise<void> {
    await listen(this.handler(), this.config.basePath, options);
  }

  #verb(method: Method | "ALL"): (path: string, ...middlewares: MaybeLazyMiddleware<State>[]) => this {
    return (path, ...middlewares) => {
      return this.#add({ kind: "handle", path, method, middlewares: middlewares as MiddlewareFn<State>[] });
    };
  }

  #add(command: Command<State>): this {
    this.#commands.push(command);
    return this;
  }
}

function asRoute<Data, State>(route: Route<Data, State> | MiddlewareFn<State>): Route {
  return (typeof route === "function" ? { handler: route } : route) as unknown as Route;
}
