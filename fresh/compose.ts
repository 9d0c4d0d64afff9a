import { type ComponentChildren, h, type VNode } from "preact";
import { isAsyncComponent, pageProps, type RouteComponent } from "./component.ts";
import type { Context, RenderOptions, RequestInternals } from "./context.ts";
import { renderDocument } from "./render.ts";

/** Puts markup inside the layouts and the app of its route and renders it; an async wrapper may answer a Response. */
export async function composePage<State>(
  ctx: Context<State>,
  internals: RequestInternals,
  markup: ComponentChildren | null,
  options: RenderOptions,
): Promise<string | Response> {
  const app = options.skipAppWrapper ? null : internals.app;
  const layouts = options.skipInheritedLayouts ? [] : internals.layouts;
  const wrappers = app === null ? layouts : [app, ...layouts];
  let below: ComponentChildren = markup;
  for (const wrapper of wrappers.toReversed()) {
    const wrapped = await wrap(ctx, wrapper, below);
    if (wrapped instanceof Response) return wrapped;
    below = wrapped;
  }
  await internals.snapshot?.loadIslands();
  return await renderDocument(below, {
    snapshot: internals.snapshot,
    basePath: ctx.config.basePath,
    nonce: internals.nonce,
    css: internals.css,
    isFragment: options.skipAppWrapper === true,
  });
}

async function wrap<State>(
  ctx: Context<State>,
  wrapper: RouteComponent,
  below: ComponentChildren,
): Promise<ComponentChildren | Response> {
  const Component = () => below as VNode;
  ctx.Component = Component;
  const props = pageProps(ctx, ctx.data, Component);
  return isAsyncComponent(wrapper) ? await wrapper(props) : h(wrapper as never, props as never);
}
