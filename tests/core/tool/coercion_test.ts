import assert from "node:assert/strict";
import fc from "fast-check";
import { z } from "zod";
import { coerce } from "../../../core/tool/coercion.ts";

const COERCED: readonly (readonly [string, Record<string, unknown>, unknown, unknown])[] = [
  ["text to a number", { type: "number" }, "3.5", 3.5],
  ["text to a number with an exponent", { type: "number" }, "-1e3", -1000],
  ["text with blanks to a number", { type: "integer" }, " 42 ", 42],
  ["text to a whole number", { type: "integer" }, "42", 42],
  ["text to a yes", { type: "boolean" }, "True", true],
  ["text to a no", { type: "boolean" }, "false", false],
  ["text to nothing", { type: ["integer", "null"] }, "null", null],
  ["text to a list", { type: "array" }, '["a"]', ["a"]],
  ["text to an object", { type: "object" }, '{"a":1}', { a: 1 }],
  ["text to one of two types", { anyOf: [{ type: "number" }, { type: "boolean" }] }, "7", 7],
  ["the items of a list", { type: "array", items: { type: "number" } }, ["1", 2], [1, 2]],
  ["a list written as text, with its items", { type: "array", items: { type: "number" } }, '["1"]', [1]],
  [
    "an object inside a list",
    {
      type: "array",
      items: { type: "object", properties: { n: { type: "integer" } } },
    },
    [{ n: "1" }],
    [{ n: 1 }],
  ],
];

for (const [name, schema, given, expected] of COERCED) {
  Deno.test(`coerce() brings ${name}`, () => assert.deepEqual(coerce(schema, given), expected));
}

const KEPT: readonly (readonly [string, Record<string, unknown>, unknown])[] = [
  ["text where text is wanted", { type: "string" }, "42"],
  ["text where text is one of the choices", { anyOf: [{ type: "string" }, { type: "number" }] }, "42"],
  ["text that is no number", { type: "number" }, "about 3"],
  ["text that is not whole", { type: "integer" }, "3.5"],
  ["hexadecimal", { type: "number" }, "0x10"],
  ["an empty text", { type: "number" }, ""],
  ["a number beyond all bounds", { type: "number" }, "1e999"],
  ["yes for true", { type: "boolean" }, "yes"],
  ["1 for true", { type: "boolean" }, 1],
  ["a number where text is wanted", { type: "string" }, 42],
  ["broken JSON", { type: "object" }, '{"a":'],
  ["a list that is really text", { type: "array" }, "a, b"],
  ["a schema without a type", {}, "42"],
  ["a choice of unknown shapes", { anyOf: [{ type: "number" }, { const: 1 }] }, "42"],
  ["a whole number where any number is wanted", { type: "number" }, 3],
];

for (const [name, schema, given] of KEPT) {
  Deno.test(`coerce() leaves ${name}`, () => assert.deepEqual(coerce(schema, given), given));
}

const OBJECT = {
  type: "object",
  properties: { a: { type: "string" }, b: { type: ["string", "null"] }, c: { type: "string" }, d: {} },
  required: ["c"],
};

Deno.test("coerce() drops a null that stands for something left out, and only that", () => {
  assert.deepEqual(coerce(OBJECT, { a: null, b: null, c: null, d: null, e: null }), {
    b: null,
    c: null,
    d: null,
    e: null,
  });
});

Deno.test("coerce() does not touch what it was given", () => {
  const given = Object.freeze({ a: null, c: "x" });
  coerce(OBJECT, given);
  assert.deepEqual(given, { a: null, c: "x" });
});

Deno.test("coerce() takes the names every object has for ordinary names", () => {
  const given = JSON.parse('{"__proto__":{"x":1},"constructor":"2","c":"y"}');
  const made = coerce(OBJECT, given) as Record<string, unknown>;
  assert.equal(made.constructor, "2");
  assert.equal(({} as Record<string, unknown>).x, undefined);
});

Deno.test("coerce() looks only so deep, and survives any depth", () => {
  const schema: Record<string, unknown> = { type: "array" };
  schema.items = schema;
  let value: unknown = "1";
  for (let depth = 0; depth < 5_000; depth++) value = [value];
  assert.ok(Array.isArray(coerce(schema, value)));
});

Deno.test("coerce() never changes a value that fits its schema", () => {
  const schema = z.object({
    text: z.string(),
    count: z.int(),
    size: z.number(),
    on: z.boolean().optional(),
    tags: z.array(z.string()),
    inner: z.object({ name: z.string(), weight: z.number().nullable() }),
  });
  const json = z.toJSONSchema(schema, { io: "input" }) as Record<string, unknown>;
  const value = fc.record({
    text: fc.oneof(fc.string(), fc.constantFrom("1", "true", "null", "[]", "{}")),
    count: fc.integer(),
    size: fc.double({ noNaN: true, noDefaultInfinity: true }),
    on: fc.boolean(),
    tags: fc.array(fc.constantFrom("1", "true", "x")),
    inner: fc.record({ name: fc.string(), weight: fc.option(fc.integer()) }, { noNullPrototype: true }),
  }, { requiredKeys: ["text", "count", "size", "tags", "inner"] });
  fc.assert(fc.property(value, (given) => {
    schema.parse(given);
    assert.deepEqual({ ...(coerce(json, given) as object) }, { ...given });
  }));
});

Deno.test("coerce() reads back any number and yes or no that was written as text", () => {
  fc.assert(fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean(), (number, on) => {
    assert.equal(coerce({ type: "number" }, String(number)), Number(String(number)));
    assert.equal(coerce({ type: "boolean" }, String(on)), on);
  }));
});
