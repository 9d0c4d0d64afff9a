import type { MaybeLazy, Route } from "./component.ts";
import type { Context } from "./context.ts";
import { HttpError } from "./http_error.ts";
import type { MiddlewareFn } from "./handlers.ts";
import { getInternals, reduced } from "./internals.ts";
import { answerRoute } from "./route.ts";

/** What a segment may hold besides middlewares. */
export type Part = "app" | "layout" | "error" | "not_found";

/** One step of the path, and what was registered there: it holds for every route below that is registered later. */
export interface Segment<State> {
  readonly parent: Segment<State> | null;
  readonly children: Map<string, Segment<State>>;
  readonly middlewares: MiddlewareFn<State>[];
  readonly parts: Partial<Record<Part, MaybeLazy<Route>>>;
}

/** An empty step. */
export function newSegment<State>(parent: Segment<State> | null = null): Segment<State> {
  return { parent, children: new Map(), middlewares: [], parts: {} };
}

/** The segment of a path, made on the way where it is missing. */
export function segmentOf<State>(root: Segment<State>, path: string): Segment<State> {
  let current = root;
  for (const step of path.split("/").filter((step) => step !== "" && step !== "*")) {
    const child: Segment<State> = current.children.get(step) ?? newSegment(current);
    current.children.set(step, child);
    current = child;
  }
  return current;
}

/** Everything that runs around a route of this segment, outermost first, as it is registered at this moment. */
export function middlewaresOf<State>(segment: Segment<State>): MiddlewareFn<State>[] {
  const path: Segment<State>[] = [];
  for (let at: Segment<State> | null = segment; at !== null; at = at.parent) path.unshift(at);
  const root = path[0] ?? segment;
  return path.flatMap((each) => [guard(each, root), ...each.middlewares]);
}

/** Sets the segment's app and layout for what is below, and answers what is thrown there with its error page. */
function guard<State>(segment: Segment<State>, root: Segment<State>): MiddlewareFn<State> {
  const { app, layout, error } = segment.parts;
  const { not_found: notFound } = root.parts;
  return async (ctx) => {
    const internals = getInternals(ctx);
    const before = internals.around;
    if (app !== undefined) internals.around = { ...before, app: (await load(app)).component ?? null };
    if (layout !== undefined) {
      const { component, config } = await load(layout);
      const around = reduced(internals.around, config);
      internals.around = component === undefined ? around : { ...around, layouts: [...around.layouts, component] };
    }
    const inside = internals.around;
    try {
      return await ctx.next();
    } catch (thrown) {
      internals.around = inside;
      ctx.error = thrown;
      const status = thrown instanceof HttpError ? thrown.status : 500;
      const page = status === 404 ? notFound ?? error : error;
      if (page === undefined) throw thrown;
      return await answerRoute(ctx, await load(page), status);
    } finally {
      internals.around = before;
    }
  };
}

/** Imports what is lazy. */
export async function load<Value extends object>(value: Value | (() => Promise<Value>)): Promise<Value> {
  return typeof value === "function" ? await value() : value;
}

/** Runs middlewares one inside the other. A lazy one answers with the middleware itself, which is then run. */
export async function runMiddlewares<State>(
  middlewares: readonly MiddlewareFn<State>[],
  ctx: Context<State>,
): Promise<Response> {
  const last = ctx.next;
  const run = async (index: number): Promise<Response> => {
    const middleware = middlewares[index];
    if (middleware === undefined) return await last();
    const before = ctx.next;
    ctx.next = () => run(index + 1);
    try {
      const answer: Response | MiddlewareFn<State> = await middleware(ctx);
      return typeof answer === "function" ? await (answer as MiddlewareFn<State>)(ctx) : answer;
    } finally {
      ctx.next = before;
    }
  };
  return await run(0);
}
