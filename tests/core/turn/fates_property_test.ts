import assert from "node:assert/strict";
import fc from "fast-check";
import type { Entry } from "../../../core/log/mod.ts";
import type { MessageReceipt } from "../../../core/turn/mod.ts";
import { callTool, end, gate, say, stage, type Step } from "./staged_model.ts";
import { openTurns, type TurnFixture } from "./turn_fixture.ts";

/** What a person or the machine does, one after the other; `step` lets the model or a tool go on to the next gate. */
type Action = "join" | "queue" | "step" | "stop" | "restart" | "retry";

const action = fc.oneof(
  { weight: 4, arbitrary: fc.constant<Action>("join") },
  { weight: 2, arbitrary: fc.constant<Action>("queue") },
  { weight: 4, arbitrary: fc.constant<Action>("step") },
  { weight: 1, arbitrary: fc.constant<Action>("stop") },
  { weight: 1, arbitrary: fc.constant<Action>("restart") },
  { weight: 1, arbitrary: fc.constant<Action>("retry") },
);

type Call = "text" | "tool" | "silent" | "fails";
const call = fc.constantFrom<Call>("text", "text", "tool", "tool", "silent", "fails");

/** Each call stops at a gate of its own before it ends. */
function scriptOf(calls: readonly Call[]): readonly (readonly (Step | Error)[])[] {
  return calls.map((kind, n) => {
    switch (kind) {
      case "text":
        return [say("a"), gate(`g${n}`), say("b"), end];
      case "tool":
        return callTool(`g${n}`);
      case "silent":
        return [gate(`g${n}`), end];
      case "fails":
        return [say("a"), gate(`g${n}`), new Error("It broke")];
    }
  });
}

async function until(fixture: TurnFixture, isSo: () => boolean): Promise<void> {
  const limit = Date.now() + 10_000;
  while (!isSo() && Date.now() < limit) await fixture.storage.database.read("select 1");
  assert.ok(isSo(), "it came to pass");
}

Deno.test("property: each message is in exactly one of transcript, line and given back, once and in order", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(action, { maxLength: 14 }), fc.array(call, { maxLength: 6 }), async (actions, calls) => {
      const dataDir = await Deno.makeTempDir({ prefix: "malama-property-" });
      const scene = stage(scriptOf(calls));
      let opened = 0;
      const open = () => openTurns({ model: scene.model, toolsets: [scene.toolset], dataDir, keep: true });
      let fixture = await open();
      try {
        const { id } = await fixture.book.create();
        const sent = new Map<string, MessageReceipt>();
        const send = async (queue: boolean) => {
          const text = `m${sent.size}`;
          sent.set(text, await fixture.turns.submit(id, { text, token: text, queue }));
        };
        await send(false);
        for (const each of actions) {
          switch (each) {
            case "join":
            case "queue":
              await send(each === "queue");
              break;
            case "step":
              scene.open(`g${opened++}`);
              break;
            case "stop":
              await fixture.turns.stop(id);
              break;
            case "restart":
              await fixture[Symbol.asyncDispose]();
              fixture = await open();
              await fixture.turns.recover();
              break;
            case "retry":
              for (const [text, receipt] of sent) {
                const again = await fixture.turns.submit(id, { text, token: text });
                assert.equal(again.fate, receipt.fate);
                assert.equal("turn" in again && again.turn, "turn" in receipt && receipt.turn);
              }
              break;
          }
          await assertOneEach(fixture, id, [...sent.keys()]);
        }
        for (let n = 0; n < calls.length; n++) scene.open(`g${n}`);
        await until(fixture, () => !fixture.turns.isRunning(id));
        const places = await assertOneEach(fixture, id, [...sent.keys()]);
        assert.ok([...places.values()].every((place) => place !== "pending"), "nothing waits for ever");
      } finally {
        await fixture[Symbol.asyncDispose]();
        await Deno.remove(dataDir, { recursive: true });
      }
    }),
    { numRuns: 40 },
  );
});

/** Checks that each text is in one place, and that what joined one turn was read in the order it was sent. */
async function assertOneEach({ storage, log }: TurnFixture, id: string, texts: readonly string[]) {
  // One statement each, the store first: what moves meanwhile moves on into the log, and is then found in both.
  const [rows, { items }] = [
    await storage.database.read("select text from pending where conversation = ? order by place, id", [id]),
    await log.entries(id, { all: true, limit: 500 }),
  ];
  const isMessage = (entry: Entry): entry is Entry<"user" | "inbox" | "undelivered"> =>
    entry.kind === "inbox" || entry.kind === "undelivered" || entry.kind === "user" && entry.data.from === "person";
  const written = items.filter(isMessage);
  const words = written.flatMap((entry) => entry.data.text.split("\n\n").map((text) => ({ text, kind: entry.kind })));
  const waiting = rows.map((row) => String(row.text)).filter((text) => words.every((word) => word.text !== text));
  const places = new Map([
    ...words.map(({ text, kind }) => [text, kind] as const),
    ...waiting.map((text) => [text, "pending"] as const),
  ]);
  assert.equal(words.length + waiting.length, places.size, "none is in two places");
  assert.deepEqual([...places.keys()].sort(), [...texts].sort(), "none is nowhere");
  const byTurn = Map.groupBy(written.filter(({ kind }) => kind !== "user"), ({ turn }) => turn);
  for (const read of byTurn.values()) assertRising(read.map(({ data }) => Number(data.text.slice(1))));
  for (const { data, kind } of written) {
    if (kind === "user") assertRising(data.text.split("\n\n").map((text) => Number(text.slice(1))));
  }
  return places;
}

function assertRising(numbers: readonly number[]): void {
  assert.deepEqual(numbers, [...numbers].sort((a, b) => a - b), "in the order they were sent");
}
