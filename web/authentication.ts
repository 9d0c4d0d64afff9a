/**
 * The middleware in front of every route: who is asking, and what becomes of those who may not.
 *
 * @module
 */
import type { Context } from "fresh";
import { MALAMA_COMMAND } from "../core/config/mod.ts";
import { cookiesOf } from "./cookies.ts";
import type { Passage } from "./doors.ts";
import { notFound, problem, problemAnswer, problemResponse } from "./problem.ts";
import { type State, themeOf } from "./state.ts";

/** Paths, below the base path, that are open to all. What they answer is the same for everyone but the theme of the door. */
const OPEN = new Set(["/login", "/offline", "/manifest.webmanifest", "/sw.js"]);
/** Paths that programs ask for: they get a problem, not a page to log in on. */
const PROGRAM = /^\/(?:api|live|payloads|images|downloads|v1|mcp|hooks)(?:\/|$)/;

/** Fills in `state.auth` and goes on, or refuses: 401 for a program, `/login` for a page, 429 after too many failures. */
export async function authenticate(ctx: Context<State>): Promise<Response> {
  const { services, address } = ctx.state;
  const path = pathBelow(services.basePath, ctx.url.pathname);
  ctx.state.theme = themeOf(cookiesOf(ctx.req.headers));
  ctx.state.auth = null;
  if (OPEN.has(path)) return await ctx.next();
  const isProgram = PROGRAM.test(path);
  let passage: Passage;
  try {
    passage = await services.doors.admit(ctx.req, address);
  } catch (error) {
    if (isProgram) return problemAnswer(error, services.report);
    throw error;
  }
  if (!passage.passed) return refuse(passage, ctx, isProgram || ctx.req.headers.has("authorization"));
  ctx.state.auth = passage.auth;
  ctx.state.session = passage.session;
  return isProgram && ctx.route === null ? unknownCall(ctx) : await ctx.next();
}

/** A program that asks for what is not there gets a problem, not a page. */
function unknownCall(ctx: Context<State>): Response {
  const { problem: found } = notFound(
    `There is no call "${ctx.url.pathname}"; /api/openapi.json lists those there are`,
  );
  return problemResponse(found);
}

function refuse(passage: Exclude<Passage, { passed: true }>, ctx: Context<State>, isProgram: boolean): Response {
  if (passage.reason === "limited") return tooManyFailures(passage.waitSeconds);
  if (!isProgram && ["GET", "HEAD"].includes(ctx.req.method)) {
    return new Response(null, { status: 303, headers: { location: `${ctx.state.services.basePath}/login` } });
  }
  const detail = passage.reason === "missing"
    ? 'Send the header "Authorization: Bearer <token>" with the token from the data folder, or sign in with ' +
      `"${MALAMA_COMMAND} login"`
    : `This token or session is not valid any more: read the token again, or sign in with "${MALAMA_COMMAND} login"`;
  return problemResponse(problem(401, "not-signed-in", "Not signed in", detail), { "www-authenticate": "Bearer" });
}

/** The answer to one failure too many. */
export function tooManyFailures(waitSeconds: number): Response {
  const wait = `${waitSeconds} ${waitSeconds === 1 ? "second" : "seconds"}`;
  const detail = `Too many failed attempts from this address: wait ${wait}, then try again`;
  return problemResponse(problem(429, "too-many-failures", "Too many failed attempts", detail), {
    "retry-after": String(waitSeconds),
  });
}

function pathBelow(basePath: string, path: string): string {
  return (path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : path).replace(/(.)\/+$/, "$1");
}
