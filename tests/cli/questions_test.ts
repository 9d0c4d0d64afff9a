/** Questions in the terminal: a real chat against a server that speaks the wire. */
import assert from "node:assert/strict";
import { runChat } from "../../cli/chat.ts";
import { readAnswer } from "../../cli/question_text.ts";
import { Wire } from "../../cli/wire.ts";
import { MALAMA_COMMAND } from "../../core/config/mod.ts";
import type { ApprovalData, Entry } from "../../core/log/mod.ts";
import { FakeServer, problem, type Reply, type TurnScript } from "./fake_server.ts";
import { ScriptedTerminal } from "./scripted_terminal.ts";

const RULE = { agent: "coder", toolset: "compute", tool: "run_command" };
const QUESTION: ApprovalData = {
  entry: 1,
  agent: "coder",
  toolset: "compute",
  tool: "run_command",
  arguments: { command: "rm -r build\u001b[2K", env: { A: "1" } },
  rule: RULE,
};

/** Asks so many questions at once and waits until each is decided, then says how. */
function asking(...questions: readonly Partial<ApprovalData>[]): Reply {
  return async (turn) => {
    const seqs = questions.map((more) => turn.add("approval", { ...QUESTION, ...more }, "open"));
    await decided(turn, seqs);
    turn.say("Done");
    return {};
  };
}

async function decided(turn: TurnScript, seqs: readonly number[]): Promise<void> {
  const isOpen = (entry: Entry) => seqs.includes(entry.seq) && entry.state === "open";
  while (turn.server.store.entries.some(isOpen) && !turn.stopped.signal.aborted) {
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

async function withTalk(
  reply: Reply,
  interactive: boolean,
  run: (terminal: ScriptedTerminal, server: FakeServer, done: Promise<number>) => Promise<void>,
): Promise<void> {
  const server = new FakeServer({ reply });
  const terminal = new ScriptedTerminal(interactive);
  const wire = new Wire(server.address, () => Promise.resolve(server.address));
  const done = runChat({ wire, terminal, pauses: [5, 20] });
  done.catch(() => {});
  try {
    await run(terminal, server, done);
  } finally {
    terminal.events.push({ kind: "leave" });
    await done.catch(() => {});
    await server.close();
  }
}

const answers = (server: FakeServer) =>
  server.posts.filter(({ path }) => path.includes("/api/approvals/")).map(({ body }) => body);
const asked = (terminal: ScriptedTerminal) => terminal.until(({ notes }) => notes.includes("waiting for you"), "asked");

Deno.test("readAnswer() takes y and yes for once, words for longer, and all else for a denial with its reason (B.1)", () => {
  for (const word of ["y", " YES "]) {
    assert.deepEqual(readAnswer(word, QUESTION), { kind: "answer", decision: "allow", scope: "once" });
  }
  assert.deepEqual(readAnswer("t", QUESTION), { kind: "answer", decision: "allow", scope: "turn" });
  assert.deepEqual(readAnswer("c", QUESTION), { kind: "answer", decision: "allow", scope: "conversation" });
  assert.deepEqual(readAnswer("always", QUESTION), { kind: "answer", decision: "allow", scope: "always" });
  assert.deepEqual(readAnswer("no", QUESTION), { kind: "answer", decision: "deny" });
  assert.deepEqual(readAnswer("yes please", QUESTION), { kind: "answer", decision: "deny", reason: "yes please" });
  assert.deepEqual(readAnswer("constructor", QUESTION), { kind: "answer", decision: "deny", reason: "constructor" });
  assert.equal(readAnswer("t", { ...QUESTION, rule: undefined }).kind, "advice");
});

Deno.test("a question prints the whole call and the choices, without control characters, and y allows it once", () =>
  withTalk(asking({ permissions: { net: ["a.example"], write: [] } }), true, async (terminal, server) => {
    terminal.type("Go");
    await asked(terminal);
    assert.match(terminal.notes, /waiting for you {2}coder asks to run run_command, of the toolset compute\n {2}\{\n/);
    assert.match(terminal.notes, /"command": "rm -r build\\u001b\[2K"/);
    assert.match(terminal.notes, /It may reach: network a\.example; nothing else/);
    assert.match(terminal.notes, /always, which keeps the rule: let coder run run_command, whatever it is given/);
    await terminal.until(({ status }) => status?.includes("1 question waits for you") ?? false, "said what waits");
    terminal.type("y");
    await terminal.until(({ out }) => out.includes("Done"), "went on");
    assert.deepEqual(answers(server), [{ decision: "allow", scope: "once" }]);
    assert.match(terminal.out, /decision {2}You allowed run_command\n/);
    assert.equal(server.store.asked.length, 1, "the answer was no message");
  }));

Deno.test("a longer text denies with itself as the reason", () =>
  withTalk(asking({}), true, async (terminal, server) => {
    terminal.type("Go");
    await asked(terminal);
    terminal.type("not on a Friday");
    await terminal.until(({ out }) => out.includes("Done"), "went on");
    assert.deepEqual(answers(server), [{ decision: "deny", reason: "not on a Friday" }]);
  }));

Deno.test("several questions are answered one after the other, the oldest first", () =>
  withTalk(asking({ tool: "one" }, { tool: "two" }, { tool: "three" }), true, async (terminal, server) => {
    terminal.type("Go");
    await terminal.until(({ notes }) => notes.includes("asks to run three"), "asked all");
    assert.match(terminal.notes, /2 questions before it: that comes first/);
    terminal.type("y", "no", "t");
    await terminal.until(({ out }) => out.includes("Done"), "went on");
    assert.deepEqual(answers(server), [
      { decision: "allow", scope: "once" },
      { decision: "deny" },
      { decision: "allow", scope: "turn" },
    ]);
    assert.match(terminal.notes, /2 questions left, the next: coder asks to run two/);
  }));

Deno.test("a question is printed and answered while the model still writes", () => {
  const reply: Reply = async (turn) => {
    const text = turn.add("text", { text: "" }, "open");
    turn.server.delta(text, 0, "I begin, and");
    const seq = turn.add("approval", QUESTION, "open");
    await decided(turn, [seq]);
    turn.server.delta(text, 12, " go on.");
    turn.server.finish(text, { text: "I begin, and go on." });
    return {};
  };
  return withTalk(reply, true, async (terminal, server) => {
    terminal.type("Go");
    await asked(terminal);
    terminal.type("y");
    await terminal.until(({ out }) => out.includes("go on."), "went on");
    assert.equal(answers(server).length, 1);
  });
});

Deno.test("a question that was answered elsewhere says so, and the next line is a message again", () => {
  let question = 0;
  const second = Promise.withResolvers<void>();
  const reply: Reply = async (turn) => {
    if (turn.message !== "Go") {
      second.resolve();
      return {};
    }
    question = turn.add("approval", QUESTION, "open");
    await decided(turn, [question]);
    await second.promise;
    return {};
  };
  return withTalk(reply, true, async (terminal, server) => {
    terminal.type("Go");
    await asked(terminal);
    server.finish(question, { ...QUESTION, decision: "allow", by: "person", scope: "once" });
    await terminal.until(({ notes }) => notes.includes("run_command was answered elsewhere"), "said so");
    terminal.type("And then?");
    await second.promise;
    assert.deepEqual(answers(server), []);
  });
});

Deno.test("an answer that came too late says so; one that does not fit leaves the question", () =>
  withTalk(asking({}), true, async (terminal, server) => {
    const refusals = [problem(400, "That scope does not fit"), problem(409, "It was answered already")];
    server.onAnswer = () => refusals.shift() ?? null;
    terminal.type("Go");
    await asked(terminal);
    terminal.type("always");
    await terminal.until(({ notes }) => notes.includes("That scope does not fit"), "refused");
    terminal.type("y");
    await terminal.until(({ notes }) => notes.includes("run_command was answered elsewhere"), "too late");
    terminal.type("/stop");
    await terminal.until(({ out }) => out.includes("Done"), "ended");
    assert.equal(answers(server).length, 2);
  }));

Deno.test("/stop still stops while a question waits, and the question is let go", () =>
  withTalk(
    async (turn) => {
      const seq = turn.add("approval", QUESTION, "open");
      await decided(turn, [seq]);
      turn.server.finish(seq, QUESTION);
      return { status: "stopped" };
    },
    true,
    async (terminal, server) => {
      terminal.type("Go");
      await asked(terminal);
      terminal.type("/stop");
      await terminal.until(({ out }) => out.includes("stopped"), "stopped");
      assert.match(terminal.out, /The turn ended before anybody answered: run_command did not run/);
      assert.deepEqual(answers(server), []);
    },
  ));

Deno.test("in a pipe a question says where to answer and waits; lines stay messages", () =>
  withTalk(asking({}), false, async (terminal, server, done) => {
    terminal.type("Go", "y");
    terminal.end();
    await asked(terminal);
    const [conversation] = server.store.conversations.keys();
    assert.match(terminal.notes, new RegExp(`It waits\\. Answer it on the page: http://[^ ]+/c/${conversation}`));
    assert.match(terminal.notes, new RegExp(`\\(${MALAMA_COMMAND} login gives a link that signs in\\)`));
    assert.deepEqual(answers(server), []);
    for (const { seq, kind, state } of server.store.entries) {
      if (kind === "approval" && state === "open") server.finish(seq, { ...QUESTION, decision: "allow", by: "person" });
    }
    await terminal.until(({ notes }) => notes.split("waiting for you").length === 3, "asked again for the next line");
    for (const { seq, kind, state } of server.store.entries) {
      if (kind === "approval" && state === "open") server.finish(seq, { ...QUESTION, decision: "deny", by: "timeout" });
    }
    assert.equal(await done, 0);
    assert.equal(server.store.asked[1]?.text, "y");
  }));
