import { drawComponent, type Route } from "./component.ts";
import type { Context } from "./context.ts";
import type { HandlerFn, PageResponse } from "./handlers.ts";
import { getInternals, reduced } from "./internals.ts";

type Handler = HandlerFn<unknown, unknown>;

/**
 * Answers a request with a route: its handler first, then its component with the handler's data. A method that neither
 * takes is 405, and OPTIONS is answered; a route with a component alone answers GET and HEAD. An error page answers every
 * method.
 *
 * @param status the status of the page when the handler names none: that of the error for an error page
 */
export async function answerRoute<State>(ctx: Context<State>, route: Route, status = 200): Promise<Response> {
  const { component, config, css = [] } = route;
  const internals = getInternals(ctx);
  internals.around = reduced({ ...internals.around, css: [...internals.around.css, ...css] }, config);
  const isError = ctx.error !== null;
  const handler = handlerFor(route, ctx.req.method, isError);
  if (handler === undefined && isError) throw ctx.error;
  if (handler === undefined) return refuseMethod(route, ctx.req.method);
  const answer: Response | PageResponse<unknown> = await handler(ctx as Context);
  if (answer instanceof Response) return answer;
  ctx.data = answer.data;
  const markup = component === undefined ? null : await drawComponent(component, ctx);
  if (markup instanceof Response) return markup;
  return await ctx.render(markup, { status: answer.status ?? status, headers: answer.headers });
}

/** Says which methods the route takes: as the answer to OPTIONS, or with the refusal of another. */
function refuseMethod({ handler }: Route, method: string): Response {
  const named = typeof handler === "object" ? Object.keys(handler) : ["GET"];
  const allow = [...new Set([...named, ...named.includes("GET") ? ["HEAD"] : [], "OPTIONS"])].join(", ");
  if (method === "OPTIONS") return new Response(null, { status: 204, headers: { allow } });
  const headers = { allow, "content-type": "text/plain; charset=utf-8" };
  return new Response("Method Not Allowed", { status: 405, headers });
}

function handlerFor({ handler, component }: Route, method: string, isError: boolean): Handler | undefined {
  const drawAlone: Handler = () => ({ data: undefined });
  const byMethod: Readonly<Record<string, Handler | undefined>> = typeof handler === "object" ? { ...handler } : {};
  const isRead = method === "GET" || method === "HEAD";
  let found = typeof handler === "function" ? handler : byMethod[method];
  if (method === "HEAD" || isError) found ??= byMethod.GET;
  if (component !== undefined && (isError || (handler === undefined && isRead))) found ??= drawAlone;
  if (found === undefined || found.length < 2) return found;
  throw new TypeError("A handler takes one parameter, the context; remove the second one");
}
