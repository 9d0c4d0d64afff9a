import assert from "node:assert/strict";
import type { Approval } from "../../core/log/mod.ts";
import { UnwatchedQuestions } from "../../web/unwatched_questions.ts";

function question(conversation: string, seq: number): Approval {
  return {
    conversation,
    seq,
    title: `About ${conversation}`,
    turn: "T",
    run: null,
    entry: seq - 1,
    agent: "assistant",
    tool: "send",
    arguments: {},
    about: "",
    at: "",
  };
}

const nobody = () => false;

Deno.test("a question where nobody looks is told once, in words that stand alone (K-186)", () => {
  const questions = new UnwatchedQuestions();
  const [alert, ...more] = questions.take([question("C", 5)], nobody);
  assert.deepEqual(more, []);
  assert.deepEqual(alert, {
    op: "alert",
    id: "approval:C:5",
    level: "warning",
    text: "assistant asks to run send in “About C”",
    conversation: "C",
    group: "approval:C",
  });
  assert.deepEqual(questions.take([question("C", 5)], nobody), []);
});

Deno.test("what is in view is not told, until nobody looks any more", () => {
  const questions = new UnwatchedQuestions();
  assert.deepEqual(questions.take([question("C", 5)], (id) => id === "C"), []);
  assert.equal(questions.take([question("C", 5)], nobody).length, 1);
});

Deno.test("several questions of one conversation are one alert, which takes the place of the one before", () => {
  const questions = new UnwatchedQuestions();
  questions.take([question("C", 5)], nobody);
  const alerts = questions.take([question("C", 5), question("C", 7), question("D", 2)], nobody);
  assert.deepEqual(alerts.map(({ group, text }) => [group, text]), [
    ["approval:C", "2 calls wait for your answer in “About C”"],
    ["approval:D", "assistant asks to run send in “About D”"],
  ]);
});

Deno.test("what was decided is forgotten", () => {
  const questions = new UnwatchedQuestions();
  questions.take([question("C", 5)], nobody);
  assert.deepEqual(questions.take([], nobody), []);
  assert.equal(questions.take([question("C", 9)], nobody).length, 1);
});
