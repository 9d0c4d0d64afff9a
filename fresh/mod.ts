/**
 * The page framework: the subset of Fresh 2's public API that this project uses. README.md says what is in and what is out.
 *
 * @module
 */
export { App, type MaybeLazyMiddleware } from "./app.ts";
export type { ListenOptions } from "./listen.ts";
export { Context, type Context as FreshContext } from "./context.ts";
export { createDefine, type Define } from "./define.ts";
export { HttpError } from "./http_error.ts";
export {
  type HandlerByMethod,
  type HandlerFn,
  type Method,
  type Middleware,
  type MiddlewareFn,
  page,
  type PageResponse,
  type RouteData,
  type RouteHandler,
} from "./handlers.ts";
export type { LayoutConfig, MaybeLazy, PageProps, Route, RouteComponent, RouteConfig } from "./component.ts";
export type { AppConfig as ResolvedFreshConfig, FreshConfig } from "./config.ts";
export type { Island } from "./snapshot.ts";
export { csp, type CspOptions as CSPOptions } from "./csp.ts";
export { staticFiles } from "./static_files.ts";
export type { WebSocketHandlers, WebSocketUpgradeOptions } from "./web_socket.ts";
