/**
 * From the table of operations to what a route file exports: one handler that reads, checks, calls and answers.
 *
 * @module
 */
import type { Context } from "fresh";
import type { z } from "zod";
import { readJson } from "./body.ts";
import { type Operation, type OperationName, type Operations, operations } from "./operations.ts";
import { inputErrors, invalidInput, problem, problemAnswer, RequestProblem, requireWords } from "./problem.ts";
import type { State } from "./state.ts";

type Checked<O, Part extends "query" | "body"> = O extends Record<Part, infer S extends z.ZodType> ? z.output<S>
  : Record<never, never>;
type ParameterOf<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParameterOf<`/${Rest}`>
  : Path extends `${string}:${infer Name}*` ? Name
  : Path extends `${string}:${infer Name}` ? Name
  : never;

/** What an operation is called with, checked. */
export interface OperationInput<Name extends OperationName> {
  readonly params: Readonly<Record<ParameterOf<Operations[Name]["path"]>, string>>;
  readonly query: Checked<Operations[Name], "query">;
  readonly body: Checked<Operations[Name], "body">;
  readonly request: Request;
  readonly state: State;
}

/** Does an operation: gives what is sent as JSON, or a whole response. */
export type OperationFunction<Name extends OperationName> = (
  input: OperationInput<Name>,
) => unknown | Promise<unknown>;

/** What a route file exports, with the operations it serves. */
export interface OperationHandler {
  (ctx: Context<State>): Promise<Response>;
  readonly operations: readonly OperationName[];
}

/**
 * Serves operations that share a path, told apart by method. `HEAD` is `GET` without the body, `OPTIONS` says what there is,
 * any other method is 405. Whatever is thrown becomes a problem.
 */
export function serveOperations<Names extends OperationName>(
  functions: { readonly [Name in Names]: OperationFunction<Name> },
): OperationHandler {
  const names = Object.keys(functions) as Names[];
  const byMethod = new Map(names.map((name) => [operations[name].method as string, name]));

  const serve = async (ctx: Context<State>): Promise<Response> => {
    try {
      const method = ctx.req.method === "HEAD" ? "GET" : ctx.req.method;
      const name = byMethod.get(method);
      if (!name) return refuseMethod(ctx.req.method, [...byMethod.keys()]);
      const operation: Operation = operations[name];
      const input = await checkInput(operation, ctx);
      const result = await (functions[name] as (input: unknown) => unknown)(input);
      const response = result instanceof Response ? result : answer(operation, result);
      return ctx.req.method === "HEAD" ? withoutBody(response) : response;
    } catch (error) {
      return problemAnswer(error, ctx.state.services.report);
    }
  };
  return Object.assign(serve, { operations: names });
}

/** JSON with the operation's status, and further headers where it has some. */
export function json(name: OperationName, value: unknown, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(value), {
    status: operations[name].status,
    headers: { ...headers, "content-type": "application/json" },
  });
}

function answer(operation: Operation, value: unknown): Response {
  if (operation.answer === "nothing") return new Response(null, { status: operation.status });
  return Response.json(value, { status: operation.status });
}

async function checkInput(operation: Operation, ctx: Context<State>): Promise<unknown> {
  const query = Object.fromEntries([...ctx.url.searchParams].filter(([, value]) => value !== ""));
  const body = operation.method === "GET" || operation.raw ? {} : await readJson(ctx.req);
  return {
    params: ctx.params,
    query: check(operation.query, query, "query"),
    body: check(operation.body, body, "body"),
    request: ctx.req,
    state: ctx.state,
  };
}

function check(schema: z.ZodType | undefined, value: unknown, what: "query" | "body"): unknown {
  if (what === "body" && (typeof value !== "object" || value === null || Array.isArray(value))) {
    throw invalidInput([{ path: "", message: "The body must be a JSON object" }]);
  }
  if (!schema) return {};
  const parsed = schema.safeParse(value, requireWords);
  if (parsed.success) return parsed.data;
  throw invalidInput(inputErrors(parsed.error));
}

function refuseMethod(method: string, methods: readonly string[]): Response {
  const allow = [...methods, ...methods.includes("GET") ? ["HEAD"] : [], "OPTIONS"].join(", ");
  if (method === "OPTIONS") return new Response(null, { status: 204, headers: { allow } });
  const detail = `${method} is not possible here; possible are ${allow}`;
  throw new RequestProblem(problem(405, "method-not-allowed", "Not possible here", detail), { allow });
}

function withoutBody(response: Response): Response {
  response.body?.cancel();
  return new Response(null, { status: response.status, headers: response.headers });
}
