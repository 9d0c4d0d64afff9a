import assert from "node:assert/strict";
import type { AssistantPart, ModelMessage, ModelRequest } from "../../../../core/model/mod.ts";
import { readSituation } from "../../../../core/model/demo/situation.ts";
import { isTitleRequest, titleOf } from "../../../../core/model/demo/title.ts";

const user = (text: string): ModelMessage => ({ role: "user", text });
const said = (text: string): ModelMessage => ({ role: "assistant", parts: [{ type: "text", text }] });
const called = (...ids: string[]): ModelMessage => ({
  role: "assistant",
  parts: ids.map((call): AssistantPart => ({ type: "tool_call", call, name: `tool_${call}`, arguments: {} })),
});
const result = (call: string, failed = false): ModelMessage => ({
  role: "tool",
  call,
  name: `tool_${call}`,
  result: `result ${call}`,
  failed,
});
const read = (messages: readonly ModelMessage[], extra: Partial<ModelRequest> = {}) =>
  readSituation({ system: "", tools: [], messages, ...extra });
const rounds = (messages: readonly ModelMessage[], extra?: Partial<ModelRequest>) =>
  read(messages, extra).rounds.map((round) => round.map((finding) => finding.result));

Deno.test("readSituation() finds the question and what was said before it", () => {
  const situation = read([user(" one "), said("a"), user("two"), said("b"), user("three")]);
  assert.equal(situation.question, "three");
  assert.deepEqual(situation.earlier, ["one", "two"]);
  assert.deepEqual([situation.rounds, situation.unanswered], [[], []]);
});

Deno.test("readSituation() gathers results round by round, whatever order they came in", () => {
  const messages = [user("q"), called("1", "2"), result("2"), result("1", true), called("3"), result("3")];
  assert.deepEqual(rounds(messages), [["result 1", "result 2"], ["result 3"]]);
  assert.equal(read(messages).rounds[0]?.[0]?.failed, true);
});

Deno.test("readSituation() leaves the results of earlier questions alone", () => {
  assert.deepEqual(rounds([user("a"), called("1"), result("1"), said("done"), user("b")]), []);
});

Deno.test("readSituation() keeps what was found for a message that another one cut short", () => {
  const situation = read([user("a"), called("1"), result("1"), user("b")]);
  assert.equal(situation.question, "b");
  assert.deepEqual(situation.unanswered.map((finding) => finding.result), ["result 1"]);
});

Deno.test("readSituation() takes the loop's wrap-up for no question of its own", () => {
  const messages = [user("a"), called("1"), result("1"), user("Answer now")];
  assert.equal(read(messages, { toolChoice: "none" }).question, "a");
  assert.deepEqual(rounds(messages, { toolChoice: "none" }), [["result 1"]]);
});

Deno.test("readSituation() takes a go-on for the question before it", () => {
  for (const text of ["go on", "Continue, please", "please carry on", "Go on from where you stopped."]) {
    assert.equal(read([user("a"), said("half"), user(text)]).question, "a", text);
  }
  assert.equal(read([user("go on")]).question, "go on");
});

Deno.test("readSituation() reads an empty conversation", () => {
  assert.deepEqual(read([]), { question: "", rounds: [], unanswered: [], earlier: [] });
});

Deno.test("isTitleRequest() knows an instruction for a title, and nothing else", () => {
  const request = (system: string, text: string, tools: ModelRequest["tools"] = []) =>
    isTitleRequest({ system, tools, messages: [user(text)] });
  assert.equal(request("Write a title of at most six words", "Hello"), true);
  assert.equal(request("", "Give this a title in at most six words:\n\nHello"), true);
  assert.equal(request("You are helpful", "What is the title of that book?"), false);
  assert.equal(request("Write a title of six words", "Hello", [{ name: "t", description: "", input: {} }]), false);
  assert.equal(isTitleRequest({ system: "title, six words", tools: [], messages: [] }), false);
});

const TITLES: readonly (readonly [string, string])[] = [
  ["What time is it in Tokyo?", "What time is it in Tokyo"],
  ["one two three four five six seven", "one two three four five six"],
  ["  Hello,\n world. ", "Hello, world"],
  ["What is 2^64?", "What is 2^64"],
  ["Give this a title in six words.\n\nPears in spring", "Pears in spring"],
  [
    "Give this a title in six words.\n\n---\nUser: Pears in spring\n\nAssistant: Yes\n---",
    "Pears in spring Assistant: Yes",
  ],
  ["…", "Conversation"],
  ["", "Conversation"],
];

for (const [text, title] of TITLES) {
  Deno.test(`titleOf() makes ${JSON.stringify(title)} of ${JSON.stringify(text)}`, () =>
    assert.equal(titleOf(text), title));
}
