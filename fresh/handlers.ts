import type { Context } from "./context.ts";

/** The methods a route module may answer by name. `HEAD` falls back to `GET`. */
export type Method = "GET" | "POST" | "PATCH" | "PUT" | "DELETE" | "HEAD" | "OPTIONS";

/** What a handler answers when the route's component is to be rendered with data. */
export interface PageResponse<Data> {
  readonly data: Data;
  readonly headers?: HeadersInit;
  readonly status?: number;
}

type PageOptions = Omit<PageResponse<unknown>, "data">;

/** Runs before (and around) what it is registered above; `ctx.next()` goes on. */
export type MiddlewareFn<State> = (ctx: Context<State>) => Response | Promise<Response>;

/** One middleware, or several that run in order. */
export type Middleware<State> = MiddlewareFn<State> | readonly MiddlewareFn<State>[];

/** Answers one method of a route with a response, or with data for its component. */
export type HandlerFn<Data, State> = (
  ctx: Context<State>,
) => Response | PageResponse<Data> | Promise<Response | PageResponse<Data>>;

/** A handler for each method; a method that is absent is 405. */
export type HandlerByMethod<Data, State> = { [M in Method]?: HandlerFn<Data, State> };

/** What a route module may export as `handler` (or `handlers`). */
export type RouteHandler<Data, State> = HandlerFn<Data, State> | HandlerByMethod<Data, State>;

type PageData<Answer> = Answer extends PageResponse<infer Data> ? Data : never;
type AnswerData<Fn> = Fn extends (...args: never[]) => infer Answer ? PageData<Awaited<Answer>> : never;

/** The data that a handler (one function, or one for each method) hands to its page. */
export type RouteData<Handler> = Handler extends (...args: never[]) => unknown ? AnswerData<Handler>
  : { [M in keyof Handler]: AnswerData<Handler[M]> }[keyof Handler];

/** Answers a request with the route's component and this data. */
export function page(): PageResponse<undefined>;
export function page<Data>(data: Data, options?: PageOptions): PageResponse<Data>;
export function page<Data>(data?: Data, options: PageOptions = {}): PageResponse<Data | undefined> {
  return { data, ...options };
}
