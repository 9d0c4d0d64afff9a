import { BUNDLE_PATH } from "./bundle_urls.ts";
import type { Context } from "./context.ts";
import type { MiddlewareFn } from "./handlers.ts";
import { getInternals } from "./internals.ts";
import { mediaType } from "./media_types.ts";
import { decodePath } from "./router.ts";
import type { Snapshot, StaticFile } from "./snapshot.ts";

const FOREVER = "public, max-age=31536000, immutable";
const KEY = "__frsh_c";

/**
 * Serves the built browser files and the files of the static folders; everything else goes on. An address with the
 * content hash that `asset()` gives is cached for good; any other is checked against its ETag each time.
 */
export function staticFiles<State>(): MiddlewareFn<State> {
  return async (ctx) => {
    const { snapshot } = getInternals(ctx);
    const { basePath } = ctx.config;
    if (snapshot === null || !ctx.url.pathname.startsWith(`${basePath}/`)) return await ctx.next();
    const path = ctx.url.pathname.slice(basePath.length);
    const isBuilt = path.startsWith(BUNDLE_PATH);
    const file = isBuilt ? null : await snapshot.staticFile(path);
    if (file === null && !isBuilt) return path === "/favicon.ico" ? notFound() : await ctx.next();
    if (ctx.req.method !== "GET" && ctx.req.method !== "HEAD") {
      return new Response("Method Not Allowed", { status: 405, headers: { allow: "GET, HEAD" } });
    }
    return file === null ? await builtFile(snapshot, path.slice(BUNDLE_PATH.length)) : answerFile(ctx, file);
  };
}

async function builtFile(snapshot: Snapshot, path: string): Promise<Response> {
  const bundle = await snapshot.bundle();
  const [, hash, name = ""] = /^([^/]*)\/(.*)$/.exec(path) ?? [];
  const text = hash === bundle?.hash ? bundle?.files.get(decodePath(name) ?? "") : undefined;
  if (text === undefined) return notFound();
  const headers = { "content-type": mediaType(path), "cache-control": FOREVER, "x-content-type-options": "nosniff" };
  return new Response(text, { headers });
}

function answerFile<State>({ url, req }: Context<State>, { bytes, hash, type }: StaticFile): Response {
  const key = url.searchParams.get(KEY);
  if (key !== null && key !== hash) return withoutKey(url);
  const cacheControl = key === null ? "no-cache" : FOREVER;
  const headers = new Headers({ "content-type": type, "cache-control": cacheControl, etag: `W/"${hash}"` });
  const known = req.headers.get("if-none-match")?.split(",").map((tag) => tag.trim().replace(/^W\//, "")) ?? [];
  if (known.includes(`"${hash}"`) || known.includes("*")) return new Response(null, { status: 304, headers });
  headers.set("content-length", String(bytes.byteLength));
  return new Response(bytes, { headers });
}

/** An address with the hash of another version: the page that named it is old, and gets the file as it is now. */
function withoutKey(url: URL): Response {
  const params = new URLSearchParams(url.searchParams);
  params.delete(KEY);
  const location = url.pathname + (params.size === 0 ? "" : `?${params}`);
  return new Response(null, { status: 307, headers: { location, "cache-control": "no-store" } });
}

const notFound = (): Response => new Response(null, { status: 404, headers: { "cache-control": "no-store" } });
