import assert from "node:assert/strict";
import { effect, signal } from "@preact/signals";
import { ApiError, NotConnected } from "../../../components/state/api.ts";
import { Approvals, waitingIn, waitingSeqs, waitingSignal } from "../../../components/state/approvals.ts";
import type { Approval, ApprovalAnswer, ApprovalData } from "../../../core/log/entry.ts";
import { foldEntries, foldOperation } from "../../../core/log/folds/transcript.ts";
import { CONVERSATION, entry, turn } from "../../core/log/folds/entries.ts";

const DATA: ApprovalData = { entry: 1, agent: "coder", tool: "run", arguments: {} };
const listed = (seq: number, conversation = CONVERSATION): Approval => ({
  ...DATA,
  conversation,
  title: "Bread",
  seq,
  turn: "t1",
  run: null,
  about: "Runs a command",
  at: "2026-11-30T09:00:00+01:00",
});

/** Approvals whose server answers as the test says. */
function answered(respond: () => Promise<void>) {
  const sent: ApprovalAnswer[] = [];
  const approvals = new Approvals({
    answer: (_conversation, _seq, answer) => {
      sent.push(answer);
      return respond();
    },
  });
  approvals.take([listed(3), listed(5)]);
  return { approvals, sent };
}

const PLACE = { conversation: CONVERSATION, seq: 3 };

Deno.test("Approvals hold the list as the server said it last, and ignore what is no list", () => {
  const { approvals } = answered(() => Promise.resolve());
  approvals.take(undefined);
  assert.deepEqual(approvals.waiting.value.map(({ seq }) => seq), [3, 5]);
  assert.equal(approvals.about(PLACE), "Runs a command");
  approvals.take([]);
  assert.deepEqual(approvals.waiting.value, []);
});

Deno.test("answer() goes out once, and takes the question off the list", async () => {
  const gate = Promise.withResolvers<void>();
  const { approvals, sent } = answered(() => gate.promise);
  const first = approvals.answer(PLACE, { decision: "allow", scope: "once" });
  assert.equal(approvals.isGoing(PLACE), true);
  assert.equal(await approvals.answer(PLACE, { decision: "deny" }), null);
  gate.resolve();
  assert.equal(await first, null);
  assert.deepEqual(sent, [{ decision: "allow", scope: "once" }]);
  assert.equal(approvals.isGoing(PLACE), false);
  assert.deepEqual(approvals.waiting.value.map(({ seq }) => seq), [5]);
});

Deno.test("answer() of a question that was decided elsewhere is no problem, it only closes", async () => {
  const { approvals } = answered(() => Promise.reject(new ApiError(409, "Decided", "It was decided already")));
  assert.equal(await approvals.answer(PLACE, { decision: "allow" }), null);
  assert.deepEqual(approvals.waiting.value.map(({ seq }) => seq), [5]);
});

Deno.test("answer() says why it did not count: no connection, arguments that do not fit", async () => {
  const cut = answered(() => Promise.reject(new NotConnected()));
  assert.match(await cut.approvals.answer(PLACE, { decision: "allow" }) ?? "", /^Not connected\. It can be answered/);
  const unfit = answered(() => Promise.reject(new ApiError(400, "Bad", "command must be a text")));
  assert.equal(await unfit.approvals.answer(PLACE, { decision: "allow", arguments: 1 }), "command must be a text");
  assert.equal(unfit.approvals.waiting.value.length, 2, "it still waits");
});

Deno.test("waitingIn() gives the open questions of a turn that runs, sub-agents' too", () => {
  const entries = [
    entry(1, "approval", DATA, { state: "open" }),
    entry(2, "approval", { ...DATA, decision: "allow" }),
    entry(3, "approval", DATA, { state: "open", run: "r1" }),
  ];
  const running = foldEntries([turn("t1", { status: "running", ended_at: null })], entries);
  assert.deepEqual(waitingIn(running).map(({ seq }) => seq), [1, 3]);
  assert.deepEqual(waitingIn(foldEntries([turn("t1")], entries)), []);
});

Deno.test("waitingSeqs() adds what only the list knows, and believes the transcript where it knows better", () => {
  const transcript = foldEntries([turn("t1", { status: "running", ended_at: null })], [
    entry(1, "approval", DATA, { state: "open" }),
    entry(2, "approval", { ...DATA, decision: "allow" }),
  ]);
  const list = [listed(1), listed(2), listed(9), listed(4, "another")];
  assert.deepEqual(waitingSeqs(transcript, list), [1, 9]);
});

Deno.test("waitingSignal() tells of other questions, and not of an answer that streams beside one", () => {
  const transcript = signal(
    foldEntries([turn("t1", { status: "running", ended_at: null })], [
      entry(1, "approval", DATA, { state: "open" }),
      entry(2, "text", { text: "" }, { state: "open", run: "r1" }),
    ]),
  );
  const list = signal([listed(1)]);
  const asked = waitingSignal(transcript, list);
  const told: (readonly number[])[] = [];
  const end = effect(() => {
    told.push(asked.value);
  });
  const before = transcript.value;
  const piece = { op: "delta", conversation: CONVERSATION, seq: 2, text: "Word", at: 0 } as const;
  transcript.value = foldOperation(before, piece);
  assert.notEqual(transcript.value, before);
  list.value = [listed(1), listed(9)];
  assert.deepEqual(told, [[1], [1, 9]]);
  end();
});
