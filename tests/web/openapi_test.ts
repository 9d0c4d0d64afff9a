import assert from "node:assert/strict";
import { describe } from "../../web/openapi.ts";
import { type Operation, operations } from "../../web/operations.ts";
import type { OperationHandler } from "../../web/operation_handler.ts";

type Json = Record<string, unknown>;

const url = "http://127.0.0.1:8000/assistant";
const description = describe({ version: "1.2.3", url, basePath: "/assistant", cookieName: "malama_8000" });
/** For browsers alone. */
const OF_THE_PAGE = ["/manifest.webmanifest", "/sw.js"];
const ROUTES = new URL("../../routes/", import.meta.url);

/** Route files of the wire with the address their place gives them. */
function* routeFiles(folder = ROUTES, path = ""): Generator<{ file: URL; path: string }> {
  for (const { name, isDirectory } of Deno.readDirSync(folder)) {
    if (isDirectory) yield* routeFiles(new URL(`${name}/`, folder), `${path}/${name}`);
    else if (name.endsWith(".ts") && !name.startsWith("_")) {
      const step = name === "index.ts" ? "" : `/${name.replace(/\.ts$/, "")}`;
      yield {
        file: new URL(name, folder),
        path: `${path}${step}`.replaceAll(/\[(\w+)\]/g, ":$1").replaceAll(/\[\.{3}(\w+)\]/g, ":$1*"),
      };
    }
  }
}

Deno.test("every route file of the wire is described, at the address its place gives it", async () => {
  const served = new Set<string>(["getHealth"]); // answered before there are routes
  for (const { file, path } of routeFiles()) {
    if (OF_THE_PAGE.includes(path)) continue;
    const { handler } = await import(file.href) as { handler: OperationHandler };
    assert.ok(handler.operations, `${path} is served from the table`);
    for (const name of handler.operations) {
      assert.equal(operations[name].path, path, name);
      served.add(name);
    }
  }
  assert.deepEqual([...served].sort(), Object.keys(operations).sort());
});

Deno.test("describe() describes every operation with its answers and how to sign in", () => {
  assert.equal(description.openapi, "3.1.0");
  const paths = description.paths as Record<string, Record<string, Json>>;
  for (const [name, operation] of Object.entries<Operation>(operations)) {
    const described = paths[operation.path.replaceAll(/:(\w+)\*?/g, "{$1}")]?.[operation.method.toLowerCase()];
    assert.ok(described, name);
    assert.equal(described.operationId, name);
    const responses = described.responses as Json;
    assert.ok(responses[operation.status], name);
    assert.equal("401" in responses, !operation.open, name);
    assert.equal(described.requestBody !== undefined, (operation.body ?? operation.raw) !== undefined, name);
  }
  const { securitySchemes } = description.components as { securitySchemes: Record<string, Json> };
  assert.equal(securitySchemes.bearer?.scheme, "bearer");
  assert.equal(securitySchemes.cookie?.name, "malama_8000");
});

Deno.test("describe() leaves no reference without a target and no name of its maker's", () => {
  const text = JSON.stringify(description);
  const { schemas } = description.components as { schemas: Json };
  const targets = [...text.matchAll(/"\$ref":"([^"]+)"/g)].map(([, target]) => target!);
  assert.ok(targets.length > 20);
  for (const target of targets) {
    const name = /^#\/components\/schemas\/(\w+)$/.exec(target)?.[1];
    assert.ok(name && schemas[name], target);
  }
  assert.doesNotMatch(text, /\$defs|"\$schema"|__schema/);
});

Deno.test("describe() gives every parameter of a path, and numbers as numbers with their bounds", () => {
  const paths = description.paths as Record<string, Record<string, { parameters: Json[] }>>;
  for (const [path, methods] of Object.entries(paths)) {
    const wanted = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    for (const { parameters } of Object.values(methods)) {
      assert.deepEqual(parameters.filter((each) => each.in === "path").map((each) => each.name), wanted);
    }
  }
  const limit = paths["/api/conversations"]!.get!.parameters.find(({ name }) => name === "limit");
  assert.deepEqual(limit?.schema, { default: 50, type: "integer", minimum: 1, maximum: 500 });
});

Deno.test("describe() names an operation once", () => {
  const names = [...JSON.stringify(description).matchAll(/"operationId":"(\w+)"/g)].map(([, name]) => name);
  assert.equal(new Set(names).size, names.length);
});
