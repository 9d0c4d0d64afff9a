import assert from "node:assert/strict";
import fc from "fast-check";
import type { LogOperation } from "../../core/log/entry.ts";
import { emptyTranscript, foldOperation } from "../../core/log/folds/transcript.ts";
import { styleFor } from "../../cli/style.ts";
import { TranscriptWriter } from "../../cli/transcript_writer.ts";
import { ScriptedLog } from "./scripted_log.ts";

interface PrintOptions {
  readonly colour?: boolean;
  readonly typed?: readonly string[];
}

/** What a terminal shows after these operations, looking after each of them. */
function print(operations: readonly LogOperation[], options: PrintOptions = {}): string {
  const writer = newWriter(options);
  let transcript = emptyTranscript("01CONVERSATION");
  return operations.map((operation) => {
    transcript = foldOperation(transcript, operation);
    return writer.update(transcript);
  }).join("");
}

function newWriter(options: PrintOptions = {}): TranscriptWriter {
  return new TranscriptWriter({
    style: styleFor(options.colour ?? false),
    width: 80,
    typedHere: (token) => options.typed?.includes(token) ?? false,
  });
}

const RAN = {
  call: "c1",
  name: "calculate",
  toolset: "compute",
  arguments: { expression: "2+2" },
  status: "done",
  result: "4",
  ms: 100,
} as const;

function wholeTurn(): ScriptedLog {
  const log = new ScriptedLog();
  log.turn();
  log.user("What is 2+2?", "token-1");
  log.stream("thinking", ["I should ", "calculate"]);
  const tool = log.add("tool", { ...RAN, status: "running", result: undefined, ms: undefined }, { state: "open" });
  log.close(tool, RAN);
  log.stream("text", ["It is ", "**4**", "."]);
  log.end();
  return log;
}

Deno.test("TranscriptWriter prints a whole turn in the words of the look", () => {
  assert.equal(
    print(wholeTurn().operations, { typed: ["token-1"] }),
    [
      "thought  I should calculate",
      "tool  calculate  2+2 … 4  0.1 s",
      "",
      "It is **4**.",
      "",
      "demo:tour · 2 calls · 1.4 s · 8,412 in · 906 out · no cost",
      "",
    ].join("\n"),
  );
});

Deno.test("TranscriptWriter says who wrote a message that was not typed here", () => {
  assert.match(print(wholeTurn().operations), /^you {2}What is 2\+2\?\n/);
});

Deno.test("TranscriptWriter streams: each piece comes out as it arrives", () => {
  const log = new ScriptedLog();
  log.turn();
  log.stream("text", ["one ", "two ", "three"], true);
  const writer = newWriter();
  let transcript = emptyTranscript(log.conversation);
  const pieces = log.operations.map((operation) => {
    transcript = foldOperation(transcript, operation);
    return writer.update(transcript);
  });
  assert.deepEqual(pieces, ["", "", "one ", "two ", "three"]);
});

Deno.test("TranscriptWriter holds a finished tool back until the answer that streams is closed", () => {
  const log = new ScriptedLog();
  log.turn();
  const text = log.stream("text", ["Looking"], true);
  log.add("tool", RAN);
  log.delta(text, 7, " it up");
  log.close(text, { text: "Looking it up" });
  assert.equal(print(log.operations), "Looking it up\n\ntool  calculate  2+2 … 4  0.1 s\n");
});

Deno.test("TranscriptWriter prints parallel tools in the order they finish, each once", () => {
  const log = new ScriptedLog();
  log.turn();
  const running = { ...RAN, status: "running", result: undefined, ms: undefined } as const;
  const first = log.add("tool", { ...running, call: "a", name: "slow" }, { state: "open" });
  const second = log.add("tool", { ...running, call: "b", name: "quick" }, { state: "open" });
  log.close(second, { ...RAN, call: "b", name: "quick" });
  log.close(first, { ...RAN, call: "a", name: "slow" });
  assert.equal(print(log.operations), "tool  quick  2+2 … 4  0.1 s\ntool  slow  2+2 … 4  0.1 s\n");
});

for (
  const [status, shown] of [
    ["failed", /… failed {2}division by zero {2}0\.1 s/],
    ["denied", /… denied {2}division by zero/],
    ["interrupted", /… interrupted, it may have run/],
  ] as const
) {
  Deno.test(`TranscriptWriter says that a tool call was ${status}`, () => {
    const log = new ScriptedLog();
    log.turn();
    log.add("tool", { ...RAN, status, result: "division by zero" });
    assert.match(print(log.operations), shown);
  });
}

for (
  const [status, failure, shown] of [
    ["stopped", null, /\nstopped {2}What was written so far stays/],
    [
      "failed",
      "The model did not answer at 127.0.0.1:11434",
      /\nfailed {2}The model did not answer at 127\.0\.0\.1:11434/,
    ],
    ["refused", "The model declined", /\nrefused {2}The model declined/],
    ["interrupted", null, /\ninterrupted {2}Malama ended in the middle/],
  ] as const
) {
  Deno.test(`TranscriptWriter says that a turn was ${status}, after what it wrote`, () => {
    const log = new ScriptedLog();
    log.turn();
    log.stream("text", ["Half an ans"], true);
    log.end({ status, failure });
    const out = print(log.operations);
    assert.match(out, /^Half an ans\n/);
    assert.match(out, shown);
  });
}

Deno.test("TranscriptWriter does not say a failure twice when a notice said it", () => {
  const log = new ScriptedLog();
  log.turn();
  log.add("notice", { text: "The model did not answer", level: "error" });
  log.end({ status: "failed", failure: "The model did not answer" });
  assert.equal(print(log.operations).split("The model did not answer").length, 2);
});

Deno.test("TranscriptWriter leaves a question that waits to be asked elsewhere, and tells the answer once", () => {
  const log = new ScriptedLog();
  log.turn();
  const question = { entry: 1, agent: "assistant", tool: "send_mail", arguments: { to: "ada" } };
  const seq = log.add("approval", question, { state: "open" });
  log.close(seq, { ...question, decision: "deny", by: "person", reason: "not before Friday" });
  assert.equal(print(log.operations), "decision  You denied send_mail: “not before Friday”\n");
});

Deno.test("TranscriptWriter passes over rounds and answers without text", () => {
  const log = new ScriptedLog();
  log.turn();
  log.add("round", { kind: "plain", model: "demo:tour", request_bytes: 1, ms: 1, stop_reason: "end" });
  log.stream("text", []);
  assert.equal(print(log.operations), "");
});

Deno.test("TranscriptWriter prints a sub-agent's start and end, and what it does two columns in", () => {
  const log = new ScriptedLog();
  log.turn();
  const card = { agent: "scout", task: "Look around", status: "running", model: "demo:tour" } as const;
  const seq = log.add("run", card, { state: "open", run: "r1" });
  log.add("tool", RAN, { run: "r1" });
  log.close(seq, { ...card, status: "done" });
  assert.equal(
    print(log.operations),
    "agent  scout  Look around … running\n  scout  tool  calculate  2+2 … 4  0.1 s\nagent  scout  Look around … done\n",
  );
});

Deno.test("TranscriptWriter sets a sub-agent of a sub-agent in further, under its address, line for line", () => {
  const log = new ScriptedLog();
  log.turn();
  const card = { agent: "scout", address: "scout#1", task: "Look", status: "running", model: "demo:tour" } as const;
  log.add("run", card, { state: "open", run: "r1" });
  log.add("run", { ...card, agent: "reader", address: "reader#1" }, { state: "open", run: "r2", parent_run: "r1" });
  log.add("text", { text: "One\ntwo" }, { run: "r2", parent_run: "r1" });
  assert.equal(
    print(log.operations),
    "agent  scout#1  Look … running\n  scout#1  agent  reader#1  Look … running\n    reader#1  says  One\n    two\n",
  );
});

Deno.test("TranscriptWriter does not print the call that opened a sub-agent beside its lines (K-219)", () => {
  const log = new ScriptedLog();
  log.turn();
  const call = log.add("tool", { ...RAN, name: "spawn_subagent", status: "running" }, { state: "open" });
  log.add("run", { agent: "scout", task: "Look", status: "done", model: "demo:tour", entry: call }, { run: "r1" });
  log.close(call, { ...RAN, name: "spawn_subagent" });
  assert.equal(print(log.operations), "agent  scout  Look … done\n");
});

Deno.test("TranscriptWriter says how a sub-agent ended, where that was not well, and what it used", () => {
  const log = new ScriptedLog();
  log.turn();
  const card = { agent: "scout", task: "Look", model: "demo:tour" } as const;
  log.add("run", { ...card, status: "failed", failure: "The model did not answer" }, { run: "r1" });
  log.add("run", { ...card, status: "done", failure: "It reached its 5 calls" }, { run: "r2" });
  assert.equal(
    print(log.operations),
    "agent  scout  Look … failed  The model did not answer\nagent  scout  Look … cut short  It reached its 5 calls\n",
  );
});

Deno.test("TranscriptWriter.skip() leaves history out, but for the turns to keep", () => {
  const log = wholeTurn();
  log.turn();
  log.user("And 3+3?");
  log.stream("text", ["It is 6."]);
  log.end();
  const transcript = log.operations.reduce(foldOperation, emptyTranscript(log.conversation));
  const all = newWriter();
  all.skip(transcript);
  assert.equal(all.update(transcript), "");
  const last = newWriter();
  last.skip(transcript, 1);
  const out = last.update(transcript);
  assert.match(out, /And 3\+3\?[\s\S]*It is 6\./);
  assert.doesNotMatch(out, /2\+2/);
});

Deno.test("TranscriptWriter ends the line when the turn that streams is no longer in view", () => {
  const log = new ScriptedLog();
  log.turn({ id: "01A" });
  log.stream("text", ["Half"], true);
  log.operations.push({
    op: "turn",
    conversation: log.conversation,
    turn: { ...log.turn({ id: "01B", parent: null, n: 1 }) },
  });
  log.operations.push({ op: "head", conversation: log.conversation, head: "01B" });
  log.stream("text", ["Another"]);
  assert.match(print(log.operations), /^Half\n\n?Another\n/);
});

Deno.test("TranscriptWriter prints nothing that a terminal would obey, wherever it comes from", () => {
  const evil = "\u001b]0;owned\u0007\u001b[2J\u001b[31m\rx";
  const log = new ScriptedLog();
  log.turn({ model: "demo:tour" });
  log.user(evil);
  log.stream("thinking", [evil.slice(0, 3), evil.slice(3)]);
  log.stream("text", [...evil]);
  log.add("tool", { ...RAN, name: evil, arguments: { [evil]: evil, b: evil }, result: evil, status: "failed" });
  log.add("notice", { text: evil, level: "warning" });
  log.add("inbox", { text: evil, from: evil, to: "assistant" });
  log.add("undelivered", { text: evil, from: evil, to: "assistant" });
  log.add("run", { agent: evil, task: evil, status: "done", model: evil });
  log.add("plan", { text: evil });
  log.add("review", { reviewer: evil, approved: false, reason: evil });
  log.add("channel", { graph: "g", channel: evil, direction: "sent", from: evil, text: evil });
  log.add("image", { ref: evil, from: evil });
  log.end({ status: "failed", failure: evil, model: evil });
  log.turn();
  log.end({ status: "refused", failure: evil });
  // deno-lint-ignore no-control-regex
  assert.doesNotMatch(print(log.operations), /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
});

Deno.test("TranscriptWriter prints each text once, however operations are repeated", () => {
  const pieces = fc.array(fc.string({ minLength: 1, unit: "grapheme-ascii" }), { minLength: 1, maxLength: 8 });
  fc.assert(fc.property(pieces, fc.array(fc.nat(), { maxLength: 6 }), (texts, repeats) => {
    const log = new ScriptedLog();
    log.turn();
    log.stream("text", texts);
    log.end();
    const operations = [...log.operations];
    for (const at of repeats) {
      const index = at % operations.length;
      operations.splice(index, 0, operations[Math.max(0, index - 1)]!);
    }
    const text = texts.join("");
    assert.ok(print(operations).startsWith(text + (text.endsWith("\n") ? "" : "\n")));
    assert.equal(print(operations), print(log.operations));
  }));
});

Deno.test("TranscriptWriter colours nothing it was not asked to", () => {
  assert.ok(!print(wholeTurn().operations).includes("\u001b"));
  assert.ok(print(wholeTurn().operations, { colour: true }).includes("\u001b[2mtool  calculate"));
});
