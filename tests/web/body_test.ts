import assert from "node:assert/strict";
import { limitBody, readJson } from "../../web/body.ts";
import { RequestProblem } from "../../web/problem.ts";

function request(body: BodyInit | null, type?: string): Request {
  return new Request("http://127.0.0.1/", {
    method: "POST",
    body,
    ...type !== undefined && { headers: { "content-type": type } },
  });
}

async function refusal(sent: Request): Promise<number> {
  try {
    await readJson(sent);
  } catch (error) {
    assert.ok(error instanceof RequestProblem);
    return error.problem.status;
  }
  throw new Error("Nothing was refused");
}

Deno.test("readJson() reads JSON under its names, and nothing as an empty object", async () => {
  for (const type of ["application/json", "Application/JSON; charset=utf-8", "application/merge-patch+json"]) {
    assert.deepEqual(await readJson(request('{"a":[1]}', type)), { a: [1] });
  }
  assert.deepEqual(await readJson(request(null)), {});
  assert.deepEqual(await readJson(request("")), {});
});

Deno.test("readJson() refuses other types with 415", async () => {
  for (
    const type of [
      "text/plain",
      "application/x-www-form-urlencoded",
      "multipart/form-data; boundary=x",
      "application/jsonp",
    ]
  ) {
    assert.equal(await refusal(request("{}", type)), 415, type);
  }
});

Deno.test("readJson() refuses what is not JSON, or not UTF-8, with 400", async () => {
  for (const body of ["{", "{'a':1}", "undefined", "{}{}", "\u0000", "NaN", new Uint8Array([0x22, 0xff, 0x22])]) {
    assert.equal(await refusal(request(body, "application/json")), 400, String(body));
  }
});

Deno.test("readJson() survives deep nesting", async () => {
  const deep = "[".repeat(50_000);
  assert.equal(await refusal(request(deep, "application/json")), 400);
});

Deno.test("limitBody() ends a body of unknown length at the limit", async () => {
  const pieces = () => ReadableStream.from([new Uint8Array(60), new Uint8Array(60)]);
  const within = limitBody(request(pieces(), "application/json"), 120);
  assert.equal((await within.request.arrayBuffer()).byteLength, 120);
  assert.equal(within.exceeded(), false);
  const over = limitBody(request(pieces(), "application/json"), 119);
  assert.equal(await refusal(over.request), 413);
  assert.equal(over.exceeded(), true);
});
