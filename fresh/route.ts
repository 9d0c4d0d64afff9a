import { isAsyncComponent, pageProps, type Route } from "./component.ts";
import { type Context, getInternals } from "./context.ts";
import type { HandlerByMethod, HandlerFn, PageResponse } from "./handlers.ts";
import { h } from "preact";

/**
 * Answers a request with a route: its handler first, then its component with the handler's data. A method the handler
 * does not name falls through to `ctx.next()`; a route with a component alone answers GET and HEAD.
 *
 * @param status the status of the page when the handler names none: that of the error for an error page
 */
export async function answerRoute<State>(ctx: Context<State>, route: Route, status = 200): Promise<Response> {
  const internals = getInternals(ctx);
  if (route.config?.skipAppWrapper) internals.app = null;
  if (route.config?.skipInheritedLayouts) internals.layouts = [];
  internals.css = [...internals.css, ...route.css ?? []];
  const isError = ctx.error !== null;
  const handler = handlerFor(route, ctx.req.method, isError);
  if (handler === null) {
    const method = ctx.req.method;
    const isDrawn = route.component !== undefined &&
      (isError || (route.handler === undefined && (method === "GET" || method === "HEAD")));
    if (!isDrawn && isError) throw ctx.error;
    if (!isDrawn) return await ctx.next();
  }
  const answer = handler === null ? { data: undefined } : await handler(ctx as Context<unknown>);
  if (answer instanceof Response) return answer;
  return await renderAnswer(ctx, route, answer, status);
}

async function renderAnswer<State>(
  ctx: Context<State>,
  route: Route,
  answer: PageResponse<unknown>,
  status: number,
): Promise<Response> {
  ctx.data = answer.data;
  const init = { status: answer.status ?? status, headers: answer.headers };
  const { component } = route;
  if (component === undefined) return await ctx.render(null, init);
  const props = pageProps(ctx, answer.data, () => null);
  if (!isAsyncComponent(component)) return await ctx.render(h(component as never, props as never), init);
  const markup = await component(props);
  return markup instanceof Response ? markup : await ctx.render(markup, init);
}

function handlerFor(route: Route, method: string, isError: boolean): HandlerFn<unknown, unknown> | null {
  const { handler } = route;
  if (handler === undefined) return null;
  if (typeof handler === "function") return checked(handler);
  const byMethod: Readonly<Record<string, HandlerFn<unknown, unknown> | undefined>> = handler as HandlerByMethod<
    unknown,
    unknown
  >;
  const found = byMethod[method] ?? (method === "HEAD" || isError ? byMethod.GET : undefined);
  return found === undefined ? null : checked(found);
}

function checked(handler: HandlerFn<unknown, unknown>): HandlerFn<unknown, unknown> {
  if (handler.length > 1) {
    throw new TypeError("A handler takes one parameter, the context; remove the second one");
  }
  return handler;
}
