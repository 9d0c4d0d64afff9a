/**
 * Calls of the API whose answers are held to what the description promises.
 *
 * @module
 */
import assert from "node:assert/strict";
import { type Operation, type OperationName, operations } from "../../web/operations.ts";
import type { TestServer } from "../web/test_server.ts";

/** Asks, and gives the answer; `null` where it is not JSON. */
export function ask(server: Pick<TestServer, "send">, name: OperationName, path: string, body?: unknown) {
  return promised(name, server.send(operations[name].method, path, body));
}

/** What a call answers, after its status and form were found to be those of the description. */
export async function promised(name: OperationName, coming: Promise<Response>) {
  const operation: Operation = operations[name];
  const answer = await coming;
  const text = await answer.text();
  assert.equal(answer.status, operation.status, `${name}: ${text}`);
  if (operation.answer === "nothing") assert.equal(text, "");
  if (typeof operation.answer === "string") return null;
  const parsed = operation.answer.safeParse(JSON.parse(text));
  assert.ok(parsed.success, `${name}: ${parsed.error}`);
  return JSON.parse(text);
}
