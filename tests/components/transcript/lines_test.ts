import assert from "node:assert/strict";
import { argumentsOf, groupSubject, groupTools, outcomeOf, subjectOf } from "../../../components/transcript/lines.ts";
import type { Entry, ToolData, ToolStatus } from "../../../core/log/entry.ts";
import type { Block } from "../../../core/log/folds/transcript.ts";
import { NOT_RUN } from "../../../core/log/interrupted.ts";
import { entry } from "../../core/log/folds/entries.ts";

const data = (status: ToolStatus, more: Partial<ToolData> = {}): ToolData => ({
  call: "c",
  name: "read_file",
  toolset: "files",
  arguments: {},
  status,
  ...more,
});
const call = (seq: number, status: ToolStatus = "done", name = "read_file") =>
  entry(seq, "tool", data(status, { name })) as Entry<"tool">;
const text = (seq: number) => entry(seq, "text", { text: "x" }) as Block;
const kinds = (blocks: readonly { kind: string }[]) => blocks.map(({ kind }) => kind);

Deno.test("argumentsOf() gives names and values as text", () => {
  assert.deepEqual(argumentsOf({ path: "a", lines: 3, deep: { b: [1, 2] } }), [["path", "a"], ["lines", "3"], [
    "deep",
    '{ "b": [ 1, 2 ] }',
  ]]);
  assert.deepEqual(argumentsOf("{not json"), [["arguments", "{not json"]]);
  for (const nothing of [undefined, null, "", {}]) assert.deepEqual(argumentsOf(nothing), []);
});

Deno.test("subjectOf() takes the first value that says something", () => {
  assert.equal(subjectOf({ url: "https://harbour.example/tides" }), "harbour.example/tides");
  assert.equal(subjectOf({ sep: "--", path: "a\nb" }), "a b");
  assert.equal(subjectOf({}), "");
});

Deno.test("outcomeOf() is a short result itself, else how much it is", () => {
  assert.equal(outcomeOf(data("done", { result: "359.5 + 40.5 = 400" })), "359.5 + 40.5 = 400");
  assert.equal(outcomeOf(data("done", { result: "a\nb\nc" })), "3 lines");
  assert.equal(outcomeOf(data("done", { result: "x".repeat(300) })), "300 bytes");
  assert.equal(outcomeOf(data("done", { result: "cut…", result_bytes: 214_020, result_ref: "/payloads/a" })), "cut…");
  assert.equal(outcomeOf(data("done", { result: "a\nb", result_bytes: 214_020 })), "214 KB");
  assert.equal(outcomeOf(data("done", { result: "" })), "");
});

Deno.test("outcomeOf() gives the reason of a failure, without saying the failure again", () => {
  assert.equal(
    outcomeOf(data("failed", { result: "fetch_page failed: No answer in 20 s. Tried twice" })),
    "No answer in 20 s",
  );
  assert.equal(outcomeOf(data("denied", { result: "Not before Friday" })), "Not before Friday");
  assert.equal(outcomeOf(data("interrupted")), "it may have run");
  assert.equal(outcomeOf(data("interrupted", { result: NOT_RUN })), "it did not run");
});

Deno.test("groupTools() folds more than five finished calls in a row, once something follows", () => {
  const six = [1, 2, 3, 4, 5, 6].map((seq) => call(seq));
  assert.deepEqual(kinds(groupTools([...six, text(7)], false)), ["tools", "text"]);
  assert.deepEqual(kinds(groupTools(six, true)), ["tools"]);
  assert.equal(groupTools(six, false).length, 6, "not while more may come");
  assert.equal(groupTools(six.slice(1), true).length, 5, "five are five lines");
});

Deno.test("groupTools() never hides a call that runs", () => {
  const calls = [1, 2, 3, 4, 5, 6].map((seq) => call(seq));
  assert.deepEqual(kinds(groupTools([...calls, call(7, "running"), text(8)], false)), ["tools", "tool", "text"]);
});

Deno.test("groupTools() keeps the order and every call", () => {
  const blocks: Block[] = [text(1), ...[2, 3, 4, 5, 6, 7, 8].map((seq) => call(seq)), text(9), call(10)];
  const shown = groupTools(blocks, true);
  assert.deepEqual(kinds(shown), ["text", "tools", "text", "tool"]);
  const group = shown[1]!;
  assert.ok(group.kind === "tools" && group.calls.length === 7);
});

Deno.test("groupSubject() names at most three tools", () => {
  const names = ["a", "b", "a", "c", "d", "b"];
  assert.equal(groupSubject(names.map((name, seq) => call(seq, "done", name))), "6 calls: a, b, c…");
});
