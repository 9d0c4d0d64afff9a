/**
 * The OpenAPI 3.1 description, written from the table of operations.
 *
 * @module
 */
import { z } from "zod";
import { type Operation, operations } from "./operations.ts";
import { problemSchema, schemaNames } from "./schema.ts";

type Json = { [key: string]: unknown };

/** Statuses of failure that every call may have, beside those of its own. */
const FAILURES: Readonly<Record<number, string>> = {
  400: "The request is not right",
  401: "Not signed in",
  403: "From another page, or for another host",
  404: "No such thing",
  409: "Something changed meanwhile, or is still running",
  413: "The body is over 16 MiB (an import: 1 GiB)",
  415: "The body is not JSON, or a file that cannot be sent",
  426: "Not a WebSocket upgrade",
  429: "Too many failed attempts",
  500: "Something went wrong inside Malama",
  503: "Nothing can be saved",
  507: "No space left",
};

/** What differs between one running Malama and another. */
export interface DescriptionOptions {
  readonly version: string;
  /** What a person types to reach it on its own machine. */
  readonly url: string;
  /** Empty, or a path that starts with `/` and does not end with one. */
  readonly basePath: string;
  readonly cookieName: string;
}

/** Describes every call. */
export function describe(options: DescriptionOptions): Json {
  const schemas: Json = {};
  const paths: Record<string, Json> = {};
  for (const [name, operation] of Object.entries<Operation>(operations)) {
    const path = operation.path.replaceAll(/:(\w+)\*?/g, "{$1}");
    paths[path] = { ...paths[path], [operation.method.toLowerCase()]: describeOperation(name, operation, schemas) };
  }
  refer(problemSchema, "output", schemas);
  return {
    openapi: "3.1.0",
    info: {
      title: "Malama",
      version: options.version,
      description: "A personal assistant on your own machine. Unknown fields are ignored by both sides.",
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [
      // Relative to where the description is read from: right behind every proxy.
      { url: options.basePath || "/", description: "Where this description was read" },
      { url: options.url, description: "On the machine that hosts it" },
    ],
    security: [{ bearer: [] }, { cookie: [] }],
    paths,
    components: {
      schemas,
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer", description: "The token in the file `token` of the data folder" },
        cookie: {
          type: "apiKey",
          in: "cookie",
          name: options.cookieName,
          description: "A browser gets it from the one-time link that a start and its command `login` print",
        },
      },
    },
  };
}

function describeOperation(name: string, operation: Operation, schemas: Json): Json {
  return {
    operationId: name,
    summary: operation.summary,
    ...operation.open && { security: [] },
    parameters: [...pathParameters(operation.path), ...queryParameters(operation.query)],
    ...operation.body && {
      requestBody: { content: { "application/json": { schema: refer(operation.body, "input", schemas) } } },
    },
    ...operation.raw && {
      requestBody: {
        description: operation.raw.about,
        content: { [operation.raw.type]: { schema: { type: "string", format: "binary" } } },
      },
    },
    responses: { [operation.status]: success(operation, schemas), ...failures(operation) },
  };
}

function pathParameters(path: string): Json[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string" },
  }));
}

function queryParameters(query: z.ZodType | undefined): Json[] {
  if (!query) return [];
  const shape = toJson(query, "output");
  return Object.entries(shape.properties as Record<string, Json>).map(([name, { description, ...schema }]) => ({
    name,
    in: "query",
    required: false,
    ...description !== undefined && { description },
    schema,
  }));
}

function success(operation: Operation, schemas: Json): Json {
  switch (operation.answer) {
    case "nothing":
      return { description: "Done" };
    case "socket":
      return { description: "JSON text frames, each with `op`; see docs/architecture.md" };
    case "file":
      return { description: "The file", content: { "*/*": { schema: {} } } };
    default:
      return {
        description: operation.summary,
        content: { "application/json": { schema: refer(operation.answer, "output", schemas) } },
      };
  }
}

function failures(operation: Operation): Json {
  const statuses = new Set([403, 500, ...operation.failures ?? []]);
  if (!operation.open) { for (const status of [401, 429]) statuses.add(status); }
  if (operation.query || operation.body) statuses.add(400);
  if (operation.method !== "GET") { for (const status of [400, 413, 415, 503, 507]) statuses.add(status); }
  const content = { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } };
  return Object.fromEntries(
    [...statuses].sort().map((status) => [status, { description: FAILURES[status], content }]),
  );
}

/** The schema in place, with what has a name moved to the components. */
function refer(schema: z.ZodType, io: "input" | "output", schemas: Json): Json {
  const { $defs, ...own } = toJson(schema, io);
  for (const [id, definition] of Object.entries(($defs ?? {}) as Json)) schemas[id] = withoutId(definition as Json);
  const id = schemaNames.get(schema)?.id;
  if (!id) return own;
  schemas[id] = withoutId(own);
  return { $ref: `#/components/schemas/${id}` };
}

function toJson(schema: z.ZodType, io: "input" | "output"): Json {
  const made = z.toJSONSchema(schema, { io, metadata: schemaNames, unrepresentable: "any" });
  const text = JSON.stringify(made).replaceAll('"#/$defs/', '"#/components/schemas/');
  const { $schema: _, ...json } = JSON.parse(text) as Json;
  return json;
}

function withoutId({ id: _, ...schema }: Json): Json {
  return schema;
}
