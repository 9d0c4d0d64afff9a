import assert from "node:assert/strict";
import { failureError, KnownFailure, plainError, toFailure } from "../../../core/storage/failure.ts";
import { problemLines } from "../../../core/storage/health.ts";
import { displayName } from "../../../core/storage/protocol.ts";

const WHERE = { folder: "/data", file: "/data/malama.db" };

function sqliteError(code: string, message = "what SQLite said"): Error {
  return Object.assign(new Error(`${code}: ${code}: ${message}`), {
    code: code.split("_").slice(0, 2).join("_"),
    extendedCode: code,
  });
}

Deno.test("each result code becomes the error that tells a person what to do", () => {
  const cases: readonly [string, string, RegExp][] = [
    ["SQLITE_FULL", "StorageFull", /"\/data".*free some space/],
    ["SQLITE_READONLY_DIRECTORY", "ReadOnlyStorage", /"\/data\/malama\.db".* does not allow writing/],
    ["SQLITE_CANTOPEN", "ReadOnlyStorage", /Check who owns them/],
    ["SQLITE_CORRUPT_VTAB", "StorageDamaged", /Nothing was deleted/],
    ["SQLITE_NOTADB", "StorageDamaged", /malama\.db-wal/],
    ["SQLITE_CONSTRAINT_UNIQUE", "StorageFailed", /what SQLite said/],
    ["SQLITE_BUSY", "StorageFailed", /what SQLite said/],
  ];
  for (const [code, name, message] of cases) {
    const error = failureError(toFailure(sqliteError(code)), WHERE);
    assert.equal(error.name, name, code);
    assert.match(error.message, message);
    assert.doesNotMatch(error.message, /SQLITE_|!|\.$/, code);
    assert.match(String((error.cause as Error).message), new RegExp(code));
  }
});

Deno.test("an extended code that libSQL has no name for is sorted by its base code", () => {
  const error = Object.assign(new Error("attempt to write a readonly database"), {
    code: "SQLITE_READONLY",
    extendedCode: "UNKNOWN_SQLITE_ERROR_1544",
  });
  assert.deepEqual(toFailure(error), { kind: "read_only", message: error.message, code: "SQLITE_READONLY" });
});

Deno.test("a disk that is full by another name is full", () => {
  assert.equal(toFailure(new Error("No space left on device (os error 28)")).kind, "full");
});

Deno.test("a failure that is already known is passed on as it is", () => {
  const failure = { kind: "too_new", found: 9, known: 1 } as const;
  assert.equal(toFailure(new KnownFailure(failure)), failure);
  assert.match(failureError(failure, WHERE).message, /version is 9, this one knows 1/);
});

Deno.test("plainError() takes the codes off the front of a message and copes with anything thrown", () => {
  assert.deepEqual(plainError(sqliteError("SQLITE_ERROR", 'near "x"')), { message: 'near "x"', code: "SQLITE_ERROR" });
  assert.deepEqual(plainError("text"), { message: "text", code: null });
  assert.deepEqual(plainError(undefined), { message: "undefined", code: null });
});

Deno.test("problemLines() keeps problems and drops what is none", () => {
  assert.deepEqual(problemLines(["ok"]), []);
  assert.deepEqual(
    problemLines([
      "*** in database main ***\nPage 4: never used\nTree 9 page 12: btreeInitPage() returns error code 11",
      "row 5 missing from index i",
    ]),
    ["Tree 9 page 12: btreeInitPage() returns error code 11", "row 5 missing from index i"],
  );
});

Deno.test("displayName() never shows what an address carries beside its host", () => {
  assert.equal(
    displayName({ kind: "server", url: "https://user:hush@db.example.org/x?authToken=hush", token: "hush" }),
    "https://db.example.org",
  );
  assert.equal(displayName({ kind: "server", url: "not an address hush", token: null }), "the server");
});
