import type { MaybeLazy, Route, RouteConfig } from "./component.ts";
import type { Context } from "./context.ts";
import type { Method, MiddlewareFn } from "./handlers.ts";
import { answerRoute } from "./route.ts";
import { Router } from "./router.ts";
import { load, middlewaresOf, newSegment, type Part, runMiddlewares, segmentOf } from "./segments.ts";
import type { Snapshot } from "./snapshot.ts";

/** One thing an app was told, in the order it was told. Paths are without the base path. */
export type Command<State> = Readonly<
  | { kind: "middleware"; path: string; middlewares: readonly MiddlewareFn<State>[] }
  | { kind: Part; path: string; route: MaybeLazy<Route> }
  | { kind: "handle"; path: string; method: Method | "ALL"; middlewares: readonly MiddlewareFn<State>[] }
  /** `segment` is what surrounds it: its path, or for a file its folder with the groups. */
  | { kind: "route"; segment: string; path: string; route: MaybeLazy<Route>; config?: RouteConfig }
  | { kind: "files"; path: string }
>;

/** A command of an app that is mounted below a path. */
export function prefixed<State>(command: Command<State>, prefix: string): Command<State> {
  const path = joinPath(prefix, command.path);
  if (command.kind !== "route") return { ...command, path };
  return { ...command, path, segment: joinPath(prefix, command.segment) };
}

/** Joins two patterns; `*` is "everything below". */
export function joinPath(first: string, second: string): string {
  const parts = [first, second].map((part) => part.replace(/^\*$/, "").replace(/^\/+|\/+$/g, ""));
  return `/${parts.filter((part) => part !== "").join("/")}`;
}

/** The routes of an app, made once from its commands. */
export class Registration<State> {
  readonly router = new Router<(ctx: Context<State>) => Promise<Response>>();
  readonly #root = newSegment<State>();

  constructor(commands: readonly Command<State>[], private readonly snapshot: Snapshot | null) {
    for (const command of commands) this.#register(command);
  }

  /** Runs what surrounds every request, for a request that has no route: 404, 405, or the answer to OPTIONS. */
  answerUnmatched(ctx: Context<State>): Promise<Response> {
    return runMiddlewares(middlewaresOf(this.#root), ctx);
  }

  #register(command: Command<State>): void {
    const segment = segmentOf(this.#root, command.kind === "route" ? command.segment : command.path);
    switch (command.kind) {
      case "middleware":
        segment.middlewares.push(...command.middlewares);
        break;
      case "app":
      case "layout":
      case "error":
      case "not_found":
        segment.parts[command.kind] = command.route;
        break;
      case "handle":
        this.#surround(command.method, command.path, [...middlewaresOf(segment), ...command.middlewares]);
        break;
      case "route": {
        const { route, config, path } = command;
        const last: MiddlewareFn<State> = async (ctx) => await answerRoute(ctx, await load(route));
        for (const method of [config?.methods ?? "ALL"].flat()) {
          this.#surround(method, path, [...middlewaresOf(segment), last]);
        }
        break;
      }
      case "files":
        for (const file of this.#files()) this.#register(prefixed(file, command.path));
        break;
      default:
        command satisfies never;
    }
  }

  #files(): readonly Command<State>[] {
    if (this.snapshot !== null) return this.snapshot.routes as readonly Command<State>[];
    throw new Error("fsRoutes() needs the files of a build; call the function that Builder.build() answers first");
  }

  #surround(method: Method | "ALL", path: string, middlewares: readonly MiddlewareFn<State>[]): void {
    this.router.add(method, path === "*" ? "/*" : path, (ctx) => runMiddlewares(middlewares, ctx));
  }
}
