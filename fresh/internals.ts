import type { LayoutConfig, RouteComponent } from "./component.ts";
import type { Snapshot } from "./snapshot.ts";

/** What a page is put into. */
export interface Surroundings {
  readonly app: RouteComponent | null;
  readonly layouts: readonly RouteComponent[];
  /** Style sheets that the route asked for. */
  readonly css: readonly string[];
}

/** What the framework keeps beside a context: not for routes. */
export interface RequestInternals {
  around: Surroundings;
  /** Set by `csp({useNonce})`: goes on every script and style of the page. */
  nonce: string | null;
  readonly snapshot: Snapshot | null;
}

/** The surroundings of what asks for fewer of them. */
export function reduced(around: Surroundings, config: LayoutConfig = {}): Surroundings {
  const app = config.skipAppWrapper ? null : around.app;
  return { ...around, app, layouts: config.skipInheritedLayouts ? [] : around.layouts };
}

const internalsOf = new WeakMap<object, RequestInternals>();

/** Gives the framework's side of a context. */
export function getInternals(ctx: object): RequestInternals {
  return internalsOf.get(ctx) as RequestInternals;
}

/** Puts the framework's side beside a new context. */
export function setInternals(ctx: object, internals: RequestInternals): void {
  internalsOf.set(ctx, internals);
}
