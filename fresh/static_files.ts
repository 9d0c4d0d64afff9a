import type { Context } from "./context.ts";
import { getInternals } from "./context.ts";
import { BUNDLE_PATH } from "./bundle_urls.ts";
import type { MiddlewareFn } from "./handlers.ts";
import { mediaType } from "./media_types.ts";
import type { StaticFile } from "./snapshot.ts";

const FOREVER = "public, max-age=31536000, immutable";
const KEY = "__frsh_c";

/**
 * Serves the built browser files and the files of the static folders; everything else goes on. An address with the
 * content hash that `asset()` gives is cached for good; any other is checked against its ETag each time.
 */
export function staticFiles<State>(): MiddlewareFn<State> {
  return async (ctx) => {
    const path = pathBelowBase(ctx);
    if (path === null) return await ctx.next();
    if (path.startsWith(BUNDLE_PATH)) return await bundleFile(ctx, path.slice(BUNDLE_PATH.length));
    const file = await getInternals(ctx).snapshot?.staticFile(path) ?? null;
    if (file === null) {
      return path === "/favicon.ico" ? new Response(null, { status: 404 }) : await ctx.next();
    }
    if (!isRead(ctx.req)) return methodNotAllowed();
    const key = ctx.url.searchParams.get(KEY);
    return key === null || key === file.hash ? answerFile(ctx, file, key !== null) : withoutKey(ctx);
  };
}

async function bundleFile<State>(ctx: Context<State>, path: string): Promise<Response> {
  if (!isRead(ctx.req)) return methodNotAllowed();
  const bundle = await getInternals(ctx).snapshot?.bundle() ?? null;
  const slash = path.indexOf("/");
  const text = bundle !== null && path.slice(0, slash) === bundle.hash
    ? bundle.files.get(decode(path.slice(slash + 1)))
    : undefined;
  if (text === undefined) return new Response("Not found", { status: 404, headers: { "cache-control": "no-store" } });
  const headers = { "content-type": mediaType(path), "cache-control": FOREVER, "x-content-type-options": "nosniff" };
  return new Response(text, { headers });
}

function answerFile<State>(ctx: Context<State>, file: StaticFile, isForever: boolean): Response {
  const etag = `W/"${file.hash}"`;
  const headers = new Headers({
    "content-type": file.type,
    "cache-control": isForever ? FOREVER : "no-cache",
    vary: "If-None-Match",
    etag,
  });
  const known = ctx.req.headers.get("if-none-match")?.split(",").map((tag) => tag.trim().replace(/^W\//, ""));
  if (known?.includes(`"${file.hash}"`) || known?.includes("*")) return new Response(null, { status: 304, headers });
  headers.set("content-length", String(file.bytes.byteLength));
  return new Response(file.bytes, { headers });
}

/** An address with the hash of another version: the page that named it is old, and gets the file as it is now. */
function withoutKey<State>(ctx: Context<State>): Response {
  const url = new URL(ctx.url);
  url.searchParams.delete(KEY);
  const location = url.pathname + url.search;
  return new Response(null, { status: 307, headers: { location, "cache-control": "no-store" } });
}

function pathBelowBase<State>(ctx: Context<State>): string | null {
  const { basePath } = ctx.config;
  if (!ctx.url.pathname.startsWith(`${basePath}/`)) return null;
  return ctx.url.pathname.slice(basePath.length);
}

function isRead(req: Request): boolean {
  return req.method === "GET" || req.method === "HEAD";
}

function methodNotAllowed(): Response {
  return new Response("Method Not Allowed", { status: 405, headers: { allow: "GET, HEAD" } });
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return "";
  }
}
