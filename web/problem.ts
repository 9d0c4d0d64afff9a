/**
 * Errors as a program and a person read them: RFC 9457 problem details.
 *
 * Every typed error has its status here and nowhere else. What nobody foresaw is a 500 whose detail names an id; the log
 * holds what really happened under that id. No answer shows a stack.
 *
 * @module
 */
import { HttpError } from "fresh";
import type { z } from "zod";
import { ConfigChanged, ConfigError, SettingLocked } from "../core/config/mod.ts";
import { BadRequest, ConversationNotFound, TitleMoved, TurnInFlight, TurnNotFound } from "../core/conversation/mod.ts";
import { AlreadyDecided, MessageGone, NotAttachable, QuestionNotFound, RuleNotFound } from "../core/turn/mod.ts";
import {
  BadDocument,
  BadMemory,
  BadPath,
  DocumentNotFound,
  MemoryExists,
  MemoryNotFound,
  NotReadWhole,
} from "../core/memory/mod.ts";
import { ReadOnlyStorage, StorageClosed, StorageFull } from "../core/storage/mod.ts";
import { randomSecret } from "./secret.ts";
import type { Report } from "./services.ts";
import { BadTokenFile } from "./token_file.ts";

/** One thing that is wrong with what was sent. `path` is like `images.0.data`, empty for the whole. */
export interface InputError {
  readonly path: string;
  readonly message: string;
}

/** A problem as it travels. `type` is a name a program can tell it by. */
export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly errors?: readonly InputError[];
}

/** A problem that the web layer found itself; thrown by what reads requests, answered as it is. */
export class RequestProblem extends Error {
  override readonly name = "RequestProblem";
  constructor(readonly problem: Problem, readonly headers: Readonly<Record<string, string>> = {}) {
    super(problem.detail);
  }
}

/** The largest body that is read, in bytes: 16 MiB. */
export const MAX_BODY_BYTES = 16 * 1024 * 1024;

/** Makes a problem; `name` becomes its `type`. */
export function problem(
  status: number,
  name: string,
  title: string,
  detail: string,
  errors?: readonly InputError[],
): Problem {
  return { type: `urn:malama:problem:${name}`, title, status, detail, ...errors && { errors } };
}

/** The request was understood but cannot be done as it was written. */
export function invalidInput(errors: readonly InputError[]): RequestProblem {
  const detail = errors.map(({ path, message }) => path ? `${path}: ${message}` : message).join("; ");
  return new RequestProblem(problem(400, "bad-input", "The request is not right", detail, errors));
}

/** What a schema found wrong, in words for a person. */
export function inputErrors(error: z.ZodError): readonly InputError[] {
  return error.issues.flatMap((issue) => issueErrors(issue, []));
}

/** Of several possible shapes the one that was meant: that with the least wrong in it. */
function issueErrors(issue: z.core.$ZodIssue, above: readonly PropertyKey[]): readonly InputError[] {
  const path = [...above, ...issue.path];
  const meant = issue.code === "invalid_union" ? issue.errors.toSorted((a, b) => a.length - b.length)[0] : undefined;
  if (meant && meant.length > 0) return meant.flatMap((each) => issueErrors(each, path));
  return [{ path: path.join("."), message: issue.message }];
}

/** Says in plain words what would be right, where a schema has no words of its own. Handed to `safeParse`. */
export const requireWords = { error: wordsFor };

interface Issue {
  readonly code?: string;
  readonly input?: unknown;
  readonly origin?: string;
  readonly minimum?: unknown;
  readonly maximum?: unknown;
  readonly values?: readonly unknown[];
  readonly expected?: string;
}

function wordsFor({ code, input, origin, minimum, maximum, values, expected }: Issue): string | undefined {
  if (input === undefined) return "Is missing";
  if (code === "too_small" && origin === "number") return `Must be ${minimum} or more`;
  if (code === "too_big" && origin === "number") return `Must be ${maximum} or less`;
  if (code === "invalid_value" && values?.length) return `Must be ${values.map((value) => `"${value}"`).join(" or ")}`;
  if (code === "invalid_type" && expected === "int") return "Must be a whole number";
  return undefined;
}

/** The longest import, in bytes: 1 GiB. It is read as it comes and never held whole. */
export const MAX_IMPORT_BYTES = 1024 ** 3;

/** The body is longer than `limit` bytes. */
export function bodyTooLarge(limit = MAX_BODY_BYTES): RequestProblem {
  const size = limit === MAX_IMPORT_BYTES ? "An import may hold 1 GiB" : "A request may hold 16 MiB";
  const detail = `${size} at most: send less at once`;
  return new RequestProblem(problem(413, "body-too-large", "The request is too large", detail));
}

/** There is nothing of this name; `detail` says of what. */
export function notFound(detail: string): RequestProblem {
  return new RequestProblem(problem(404, "not-found", "Not found", detail));
}

/** Sends a problem. */
export function problemResponse(found: Problem, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(JSON.stringify(found), {
    status: found.status,
    headers: { ...headers, "content-type": "application/problem+json" },
  });
}

/** What an error means to whoever sent the request. An unforeseen one is reported under a new id. */
export function problemOf(error: unknown, report: Report): Problem {
  if (error instanceof RequestProblem) return error.problem;
  if (error instanceof BadRequest) return invalidInput([{ path: error.path, message: error.message }]).problem;
  if (error instanceof NotAttachable) return problem(415, "not-attachable", "This cannot be sent", error.message);
  if (error instanceof ConversationNotFound) {
    return problem(404, "conversation-not-found", "No such conversation", error.message);
  }
  if (error instanceof TurnNotFound) return problem(404, "turn-not-found", "No such turn", error.message);
  if (error instanceof MessageGone) return problem(404, "message-gone", "No such message waits", error.message);
  if (error instanceof QuestionNotFound) return problem(404, "question-not-found", "No such question", error.message);
  if (error instanceof RuleNotFound) return problem(404, "rule-not-found", "No such rule", error.message);
  if (error instanceof AlreadyDecided) return problem(409, "already-decided", "Decided already", error.message);
  if (error instanceof MemoryNotFound) return problem(404, "memory-not-found", "No such memory", error.message);
  if (error instanceof MemoryExists) return problem(409, "memory-exists", "Remembered already", error.message);
  if (error instanceof BadMemory) return invalidInput([{ path: "text", message: error.message }]).problem;
  if (error instanceof DocumentNotFound) return problem(404, "document-not-found", "No such document", error.message);
  if (error instanceof NotReadWhole) return problem(409, "document-changed", "The document was changed", error.message);
  if (error instanceof BadPath || error instanceof BadDocument) {
    return invalidInput([{ path: error instanceof BadPath ? "path" : "content", message: error.message }]).problem;
  }
  if (error instanceof SettingLocked) return problem(403, "setting-locked", "This setting is locked", saidOf(error));
  if (error instanceof ConfigChanged) return problem(409, "settings-changed", "The file was changed", saidOf(error));
  if (error instanceof ConfigError) {
    return invalidInput(error.problems.map(({ section, key, message }) => ({
      path: ["values", ...section === undefined ? [] : [[section, key].filter((part) => part).join(".")]].join("."),
      message,
    }))).problem;
  }
  if (error instanceof TurnInFlight) return problem(409, "turn-in-flight", "A turn is running", error.message);
  if (error instanceof TitleMoved) return problem(409, "title-moved", "The title was changed", error.message);
  if (error instanceof ReadOnlyStorage) return problem(503, "read-only", "Nothing can be saved", error.message);
  if (error instanceof StorageClosed) return problem(503, "closed", "Malama is stopping", error.message);
  if (error instanceof StorageFull) return problem(507, "storage-full", "No space left", error.message);
  if (error instanceof BadTokenFile) return problem(503, "no-token", "Nobody can be let in", error.message);
  if (error instanceof HttpError) return ofHttpError(error);
  return unexpected(error, report);
}

/** Answers a request that failed. */
export function problemAnswer(error: unknown, report: Report): Response {
  return problemResponse(problemOf(error, report), error instanceof RequestProblem ? error.headers : {});
}

/** The first fault without the path of the file, which is nobody's concern who asks from outside. */
function saidOf({ problems, message }: ConfigError): string {
  return problems[0]?.message ?? message;
}

function ofHttpError(error: HttpError): Problem {
  const detail = error.message || "The request could not be answered";
  return problem(error.status, `http-${error.status}`, error.status === 404 ? "Not found" : "Refused", detail);
}

function unexpected(error: unknown, report: Report): Problem {
  const id = randomSecret(6);
  report("ERROR", "web", `${id} ${error instanceof Error ? error.stack ?? error.message : String(error)}`);
  const detail = `Something went wrong inside Malama; its log says what under "${id}"`;
  return problem(500, "unexpected", "Something went wrong", detail);
}
