import assert from "node:assert/strict";
import { type ExportSource, Importer, openExport } from "../../../core/conversation/mod.ts";
import { idSource } from "../../../core/log/mod.ts";
import { scriptedModel } from "../../../core/model/mod.ts";
import { openTurns, type TurnFixture } from "../turn/turn_fixture.ts";
import { bytesOf } from "./tree_fixture.ts";

const open = (dataDir?: string) =>
  openTurns({ model: scriptedModel(() => ({ text: "An answer" })), keep: dataDir === undefined, dataDir });

async function linesOf({ book, log, storage }: TurnFixture, id: string): Promise<string[]> {
  const source: ExportSource = { conversations: book, log, storage };
  const { pieces } = await openExport(source, id, { format: "jsonl", full: true });
  return (await Array.fromAsync(pieces)).join("").trimEnd().split("\n");
}

/** What was asked in the turns of the path in view. */
async function asked({ book, log }: TurnFixture, id: string): Promise<string[]> {
  const { path } = await book.get(id);
  const entries = await log.entriesOfTurns(id, path.map((turn) => turn.id));
  return entries.flatMap((entry) => entry.kind === "user" ? [entry.data.text] : []);
}

Deno.test("regenerating message 2 of 6 keeps 3 to 6 reachable, over a restart, an export and the import of it", async () => {
  let id: string;
  let dataDir: string;
  const turns: string[] = [];
  {
    await using first = await open();
    dataDir = first.dataDir;
    ({ id } = await first.book.create({ title: "Six" }));
    for (let n = 1; n <= 6; n++) {
      const receipt = await first.turns.submit(id, { text: `message ${n}` });
      assert.ok(receipt.fate === "turn");
      turns.push(receipt.turn);
      await first.ended(receipt.turn);
    }
    const again = await first.turns.regenerate(id, turns[1]!, {});
    await first.ended(again.turn);
    assert.deepEqual(await asked(first, id), ["message 1", "message 2"]);
  }

  await using second = await open(dataDir);
  const { storage, book } = second;
  const six = ["message 1", "message 2", "message 3", "message 4", "message 5", "message 6"];
  const seen = async (conversation: string) => {
    const { path } = await book.get(conversation);
    assert.equal(path[1]?.siblings.length, 2);
    assert.deepEqual(await asked(second, conversation), six.slice(0, 2));
    await book.setHead(conversation, path[1]!.siblings[0]!);
    assert.deepEqual(await asked(second, conversation), six);
    await book.setHead(conversation, path[1]!.siblings[1]!);
  };
  await seen(id);
  const now = () => new Date();
  const declared = { entryAgent: "assistant", isAgent: () => true, modelProblem: () => null };
  const importer = new Importer({ ...declared, storage, book, now, newId: idSource(now) });
  const made = await importer.import(bytesOf(await linesOf(second, id)));
  assert.equal(made.turns, 7);
  await seen(made.id);
  const receipt = await second.turns.submit(made.id, { text: "And on" });
  assert.ok(receipt.fate === "turn");
  assert.equal((await second.ended(receipt.turn)).status, "done");
  assert.deepEqual(await asked(second, made.id), ["message 1", "message 2", "And on"]);
});
