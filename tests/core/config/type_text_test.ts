import assert from "node:assert/strict";
import { z } from "zod";
import { count, permissions, port, thinking } from "../../../core/config/sections/values.ts";
import { typeText } from "../../../core/config/type_text.ts";

const CASES: readonly (readonly [string, z.ZodType])[] = [
  ["a string", z.string()],
  ["true or false", z.boolean().default(true)],
  ["an integer", z.int().optional()],
  ["an integer, 1 or more", count()],
  ["an integer from 0 to 65535", port().default(8000)],
  ["a number above 0", z.number().positive()],
  ["a number above 0, up to 1", z.number().gt(0).max(1)],
  ["a number from -2 to 2", z.number().min(-2).max(2)],
  ["a number, 9 or less", z.number().max(9)],
  ['"token" or "none"', z.enum(["token", "none"])],
  ['"a"', z.literal("a")],
  ["a list of strings", z.array(z.string())],
  ['a list of strings or "all"', z.union([z.array(z.string()), z.literal("all")])],
  ['true, false, "low", "medium" or "high"', thinking().optional()],
  ["a table of net, read, write, env, run", permissions()],
  ["a table of strings", z.record(z.string(), z.string())],
  ["a table of a, b", z.union([z.object({ a: z.string() }), z.object({ a: z.string(), b: z.string() })])],
];

for (const [text, schema] of CASES) {
  Deno.test(`typeText() says ${JSON.stringify(text)}`, () => assert.equal(typeText(schema), text));
}
