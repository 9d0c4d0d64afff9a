import { type ComponentChildren, type FunctionComponent, h } from "preact";
import type { Context } from "./context.ts";
import type { HandlerByMethod, HandlerFn, Method } from "./handlers.ts";

type Shared = "config" | "url" | "req" | "params" | "info" | "state" | "isPartial" | "error" | "route";

/** What every page, layout, app and error component is given: the request, and what its handler answered. */
export interface PageProps<Data = unknown, State = unknown> extends Pick<Context<State>, Shared> {
  /** In a layout or the app: the page below it. */
  readonly Component: FunctionComponent;
  readonly data: Data;
}

/** A component of a route. An async one is called directly and may answer a Response instead of markup. */
export type RouteComponent<Data = unknown, State = unknown> = (
  props: PageProps<Data, State>,
) => ComponentChildren | Response | Promise<ComponentChildren | Response>;

/** What a layout leaves out of the ones above it. */
export interface LayoutConfig {
  readonly skipInheritedLayouts?: boolean;
  readonly skipAppWrapper?: boolean;
}

/** What a route module may export as `config`. */
export interface RouteConfig extends LayoutConfig {
  /** Another pattern than the file's place. */
  readonly routeOverride?: string;
  /** Methods the route is registered for; every method by default. */
  readonly methods?: "ALL" | readonly Method[];
}

/** A route: a handler, a component, or both. */
export interface Route<Data = unknown, State = unknown> {
  readonly handler?: HandlerFn<Data, State> | HandlerByMethod<Data, State>;
  readonly component?: RouteComponent<Data, State>;
  readonly config?: RouteConfig;
  /** Style sheets linked in the head of the page. */
  readonly css?: readonly string[];
}

/** A value, or a function that imports it when it is first needed. */
export type MaybeLazy<Value> = Value | (() => Promise<Value>);

/** The markup of a component for the request at hand: an async one is called, any other is left to the renderer. */
export async function drawComponent<State>(
  component: RouteComponent,
  ctx: Context<State>,
): Promise<ComponentChildren | Response> {
  const props = { ...ctx } as PageProps;
  return component.constructor.name === "AsyncFunction"
    ? await component(props)
    : h(component as never, props as never);
}
