import assert from "node:assert/strict";
import { z } from "zod";
import { HttpError } from "fresh";
import {
  BadRequest,
  ConversationNotFound,
  TitleMoved,
  TurnInFlight,
  TurnNotFound,
} from "../../core/conversation/mod.ts";
import { ReadOnlyStorage, StorageClosed, StorageFailed, StorageFull } from "../../core/storage/mod.ts";
import {
  bodyTooLarge,
  inputErrors,
  invalidInput,
  notFound,
  problemAnswer,
  problemOf,
  requireWords,
} from "../../web/problem.ts";

const quiet = () => {};

Deno.test("problemOf() gives each typed error its status and its own sentence", () => {
  const cases: [Error, number, string][] = [
    [new ConversationNotFound("x"), 404, "conversation-not-found"],
    [new TurnNotFound("x", "y"), 404, "turn-not-found"],
    [new TurnInFlight("x"), 409, "turn-in-flight"],
    [new TitleMoved("Other"), 409, "title-moved"],
    [new BadRequest("agent", "No agent is called that"), 400, "bad-input"],
    [new ReadOnlyStorage("the database is damaged"), 503, "read-only"],
    [new StorageClosed(), 503, "closed"],
    [new StorageFull("/data"), 507, "storage-full"],
    [bodyTooLarge(), 413, "body-too-large"],
    [notFound("nothing"), 404, "not-found"],
    [new HttpError(418, "A teapot"), 418, "http-418"],
  ];
  for (const [error, status, name] of cases) {
    const problem = problemOf(error, quiet);
    assert.deepEqual([problem.status, problem.type], [status, `urn:malama:problem:${name}`], error.name);
    assert.ok(problem.title && problem.detail);
    assert.ok(!/[.!]$/.test(problem.title));
  }
  assert.equal(problemOf(new BadRequest("agent", "Unknown"), quiet).errors?.[0]?.path, "agent");
});

Deno.test("problemOf() shows an id for what nobody foresaw, and the log holds what happened", () => {
  const reports: string[] = [];
  for (const error of [new TypeError("secret internals"), new StorageFailed("constraint"), "a string", undefined]) {
    const problem = problemOf(error, (level, _, message) => reports.push(`${level} ${message}`));
    assert.equal(problem.status, 500);
    assert.doesNotMatch(JSON.stringify(problem), /secret|constraint|\bat\b.*:\d+|\.ts/);
    const id = /under "([^"]+)"/.exec(problem.detail)?.[1];
    assert.ok(id && reports.at(-1)!.startsWith(`ERROR ${id} `));
  }
  assert.match(reports[0]!, /secret internals/);
});

Deno.test("problemAnswer() is problem+json with the members of RFC 9457", async () => {
  const answer = problemAnswer(invalidInput([{ path: "title", message: "Is missing" }]), quiet);
  assert.equal(answer.status, 400);
  assert.equal(answer.headers.get("content-type"), "application/problem+json");
  assert.deepEqual(await answer.json(), {
    type: "urn:malama:problem:bad-input",
    title: "The request is not right",
    status: 400,
    detail: "title: Is missing",
    errors: [{ path: "title", message: "Is missing" }],
  });
});

Deno.test("inputErrors() say what would be right, in plain words", () => {
  const schema = z.object({
    limit: z.number().min(1).max(500),
    format: z.enum(["md", "jsonl"]),
    count: z.int(),
    turn: z.string(),
    title: z.string().min(1, "A title cannot be empty"),
  });
  const words = (value: unknown) => {
    const parsed = schema.safeParse(value, requireWords);
    assert.ok(!parsed.success);
    return Object.fromEntries(inputErrors(parsed.error).map(({ path, message }) => [path, message]));
  };
  assert.deepEqual(words({ limit: 0, format: "pdf", count: 1.5, title: "" }), {
    limit: "Must be 1 or more",
    format: 'Must be "md" or "jsonl"',
    count: "Must be a whole number",
    turn: "Is missing",
    title: "A title cannot be empty",
  });
  assert.equal(words({ limit: 501 }).limit, "Must be 500 or less");
});
