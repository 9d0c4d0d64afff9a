import assert from "node:assert/strict";
import { AnswerLimit, MAX_ANSWER_LENGTH, MAX_CALLS } from "../../../core/agent/answer_limit.ts";
import { Incomplete, type ModelEvent } from "../../../core/model/mod.ts";
import { handModel, openRun, textTool } from "./run_fixture.ts";

const PIECE = "x".repeat(100_000);

Deno.test("a model that never stops speaking is ended, and what it said up to there is kept", async () => {
  await using bench = await openRun();
  let closed = false;
  const ran = await bench.run(handModel(async function* (): AsyncGenerator<ModelEvent> {
    try {
      for (;;) yield { type: "text", text: PIECE };
    } finally {
      closed = true;
    }
  }));
  assert.equal(ran.outcome.status, "failed");
  assert.match("failure" in ran.outcome ? ran.outcome.failure : "", /hand:made went past 4000000 characters/);
  assert.equal(ran.of("text")[0]?.data.text.length, MAX_ANSWER_LENGTH);
  assert.equal(ran.of("text")[0]?.state, "done");
  assert.ok(closed, "the stream was left");
});

Deno.test("a model that never stops calling is ended, and every call has its one result", async () => {
  await using bench = await openRun();
  let runs = 0;
  const tools = [textTool("echo", (x) => (runs++, x))];
  const ran = await bench.run(
    handModel(async function* (): AsyncGenerator<ModelEvent> {
      for (let n = 0;; n++) {
        yield { type: "tool_start", call: `${n}`, name: "echo" };
        yield { type: "tool_call", call: `${n}`, name: "echo", arguments: { x: `${n}` } };
      }
    }),
    { tools },
  );
  assert.equal(ran.outcome.status, "failed");
  assert.match("failure" in ran.outcome ? ran.outcome.failure : "", /went past 1000 tool calls/);
  const [row] = await bench.fixture.storage.database.read(
    "select count(*) as calls, sum(state = 'done') as done from entries where kind = 'tool'",
  );
  assert.deepEqual([row?.calls, row?.done], [MAX_CALLS, MAX_CALLS]);
  assert.ok(runs <= MAX_CALLS);
});

Deno.test("thinking, text, refusals, signatures, names and arguments count together; the rest counts nothing", () => {
  const info = { string: "hand:made", provider: "hand", id: "made", images: true, tools: true, thinking: true };
  const share = "x".repeat(MAX_ANSWER_LENGTH / 5);
  const limit = new AnswerLimit(info);
  const events: readonly ModelEvent[] = [
    { type: "request", url: "", body: share },
    { type: "thinking", text: share },
    { type: "text", text: share },
    { type: "refusal", text: share },
    { type: "tool_arguments", call: "c", text: share },
    { type: "signature", of: "text", signature: { provider: "p", data: share } },
    { type: "tool_call", call: "c", name: share, arguments: {} },
    { type: "stop", reason: "end", provider_reason: share },
  ];
  for (const event of events) limit.count(event);
  assert.throws(() => limit.count({ type: "tool_start", call: "c", name: "n" }), Incomplete);
});

Deno.test("a sentence about a model never holds the password in its address", async () => {
  await using bench = await openRun();
  const silent = handModel(async function* (): AsyncGenerator<ModelEvent> {
    yield { type: "stop", reason: "end", provider_reason: "stop" };
  });
  const info = {
    ...silent.info,
    string: "openai-compat:m@http://me:secret@localhost/v1",
    provider: "openai-compat",
    id: "m",
  };
  const ran = await bench.run({ info, stream: (request, signal) => silent.stream(request, signal) });
  assert.match("failure" in ran.outcome ? ran.outcome.failure : "", /^openai-compat:m gave no answer/);
});
