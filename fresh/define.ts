import type { RouteComponent } from "./component.ts";
import type { Middleware, RouteData, RouteHandler } from "./handlers.ts";

/** Identity functions that give the parts of a route module their types. */
export interface Define<State> {
  /** Types a `handler`; what it answers with `page()` types the page's data. */
  handlers<Handlers extends RouteHandler<unknown, State>>(handlers: Handlers): Handlers;
  /** Types a page; `define.page<typeof handler>` infers `data`. */
  page<Handler = never, Data = RouteData<Handler>>(render: RouteComponent<Data, State>): RouteComponent<Data, State>;
  /** Types a layout or the app. */
  layout(render: RouteComponent<unknown, State>): RouteComponent<unknown, State>;
  /** Types a middleware, or a list of them. */
  middleware<M extends Middleware<State>>(middleware: M): M;
}

/**
 * Gives the typed identity functions for one kind of state.
 *
 * @example
 * ```ts
 * import { createDefine, page } from "fresh";
 * const define = createDefine<{ user: string }>();
 * export const handler = define.handlers({ GET: (ctx) => page({ name: ctx.state.user }) });
 * export default define.page<typeof handler>(({ data }) => `Aloha ${data.name}`);
 * ```
 */
export function createDefine<State>(): Define<State> {
  return {
    handlers: (handlers) => handlers,
    page: (render) => render,
    layout: (render) => render,
    middleware: (middleware) => middleware,
  };
}
