import type { LayoutConfig, MaybeLazy, Route, RouteComponent, RouteConfig } from "./component.ts";
import { type AppConfig, type FreshConfig, resolveConfig } from "./config.ts";
import { type Command, prefixed, Registration } from "./registration.ts";
import type { Method, Middleware, MiddlewareFn } from "./handlers.ts";
import { listen, type ListenOptions } from "./listen.ts";
import type { Snapshot } from "./snapshot.ts";
import type { WebSocketHandlers, WebSocketUpgradeOptions } from "./web_socket.ts";
import { answerRequest } from "./request.ts";

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

  /** Runs middlewares for every request, or for the routes at and below a path. */
  use(...middlewares: Middleware<State>[]): this;
  use(path: string, ...middlewares: Middleware<State>[]): this;
  use(first: string | Middleware<State>, ...rest: Middleware<State>[]): this {
    const path = typeof first === "string" ? first : "*";
    const middlewares = (typeof first === "string" ? rest : [first, ...rest]).flat() as MiddlewareFn<State>[];
    return this.#add({ kind: "middleware", path, middlewares });
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

  /** A route with a handler, a component, or both; a method it does not name falls through. */
  route<Data>(path: string, route: MaybeLazy<Route<Data, State>>, config?: RouteConfig): this {
    return this.#add({ kind: "route", segment: path, path, route: route as unknown as MaybeLazy<Route>, config });
  }

  /** Answers GET, and HEAD where `head()` does not. */
  get(path: string, ...middlewares: MaybeLazyMiddleware<State>[]): this {
    return this.#handle("GET", path, middlewares);
  }

  /** Answers POST. */
  post(path: string, ...middlewares: MaybeLazyMiddleware<State>[]): this {
    return this.#handle("POST", path, middlewares);
  }

  /** Answers PATCH. */
  patch(path: string, ...middlewares: MaybeLazyMiddleware<State>[]): this {
    return this.#handle("PATCH", path, middlewares);
  }

  /** Answers PUT. */
  put(path: string, ...middlewares: MaybeLazyMiddleware<State>[]): this {
    return this.#handle("PUT", path, middlewares);
  }

  /** Answers DELETE. */
  delete(path: string, ...middlewares: MaybeLazyMiddleware<State>[]): this {
    return this.#handle("DELETE", path, middlewares);
  }

  /** Answers HEAD. */
  head(path: string, ...middlewares: MaybeLazyMiddleware<State>[]): this {
    return this.#handle("HEAD", path, middlewares);
  }

  /** Answers every method. */
  all(path: string, ...middlewares: MaybeLazyMiddleware<State>[]): this {
    return this.#handle("ALL", path, middlewares);
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
    this.#snapshot = snapshot;
    this.config = {
      ...this.config,
      root: snapshot.root,
      mode: snapshot.isDevelopment ? "development" : "production",
    };
    return this;
  }

  /** The function that answers requests, for `Deno.serve` or a test. What is registered afterwards is not in it. */
  handler(): (req: Request, info?: Deno.ServeHandlerInfo) => Promise<Response> {
    const snapshot = this.#snapshot;
    const { config } = this;
    const registration = new Registration<State>(this.#commands, snapshot);
    return (req, info) => answerRequest(registration, { config, snapshot, req, info });
  }

  /** Serves the app until the signal aborts. With no port it takes the first free one of 8000–8019. */
  async listen(options: ListenOptions = {}): Promise<void> {
    await listen(this.handler(), this.config.basePath, options);
  }

  #handle(method: Method | "ALL", path: string, middlewares: MaybeLazyMiddleware<State>[]): this {
    return this.#add({ kind: "handle", path, method, middlewares: middlewares as MiddlewareFn<State>[] });
  }

  #add(command: Command<State>): this {
    this.#commands.push(command);
    return this;
  }
}

function asRoute<Data, State>(route: Route<Data, State> | MiddlewareFn<State>): Route {
  return (typeof route === "function" ? { handler: route } : route) as unknown as Route;
}
