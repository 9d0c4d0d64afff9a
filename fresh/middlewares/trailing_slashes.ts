import type { MiddlewareFn } from "../handlers.ts";

/** Sends the browser to the one spelling of an address, with or without a slash at its end. Files are left alone. */
export function trailingSlashes<State>(mode: "always" | "never"): MiddlewareFn<State> {
  return async (ctx) => {
    const { pathname, search } = ctx.url;
    const { basePath } = ctx.config;
    const isRoot = pathname === "/" || pathname === `${basePath}/`;
    const hasSlash = pathname.endsWith("/");
    if (mode === "never" && hasSlash && !isRoot) return ctx.redirect(pathname.replace(/\/+$/, "") + search);
    const isFile = /\.[^/]*$/.test(pathname);
    if (mode === "always" && !hasSlash && !isFile) return ctx.redirect(`${pathname}/${search}`);
    return await ctx.next();
  };
}
