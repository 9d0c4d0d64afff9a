import assert from "node:assert/strict";
import { z } from "zod";
import { Housekeeping } from "../../../core/conversation/mod.ts";
import { scriptedModel } from "../../../core/model/mod.ts";
import { sha256 } from "../../../core/storage/blobs.ts";
import { defineToolset, tool } from "../../../core/tool/mod.ts";
import { png } from "../log/sample_pictures.ts";
import { blobNames } from "../storage/sample_store.ts";
import { openTurns, type TurnFixture } from "./turn_fixture.ts";

const picture = (byte: number) => ({
  name: `${byte}.png`,
  media_type: "image/png",
  data: png(byte, byte),
});

/** A tool that waits to be let go, and then answers with a picture and more text than an entry holds. */
function drawingTools() {
  const asked = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  const draw = tool({
    name: "draw",
    description: "Draws",
    input: z.object({}),
    async run() {
      asked.resolve();
      await gate.promise;
      return { text: "drawn ".repeat(20_000), images: [picture(9)] };
    },
  });
  const toolset = defineToolset({ name: "drawing", description: "Drawing", tools: () => [draw] });
  return { toolset, asked: asked.promise, release: gate.resolve };
}

/** Every reference anywhere in what a conversation has stored, and every one that is held for it. */
async function references(fixture: TurnFixture, id: string) {
  const { database } = fixture.storage;
  const stored = await database.read(
    "select data as text from entries where conversation = ?1 union all select images from pending where conversation = ?1",
    [id],
  );
  const named = stored.flatMap(({ text }) =>
    [...String(text).matchAll(/"\/(?:payloads|images)\/([0-9a-f]{64})"/g)].map(([, hash]) => hash!)
  );
  const held = await database.read("select hash from blob_holders where conversation = ? order by hash", [id]);
  return { named: [...new Set(named)].sort(), held: held.map(({ hash }) => String(hash)) };
}

Deno.test("whatever a conversation refers to is held for it, and goes with it, but not with another", async () => {
  const { toolset, asked, release } = drawingTools();
  const model = scriptedModel([
    { tool_calls: [{ name: "draw", arguments: {} }] },
    { text: "Here it is" },
    { text: "Yes" },
    { text: "Hello" },
  ], { images: true });
  await using fixture = await openTurns({ model, toolsets: [toolset] });
  const { book, turns, storage, dataDir } = fixture;
  const { id } = await book.create();
  await turns.submit(id, { text: "Draw", images: [picture(1), picture(2)] });
  await asked;
  const queued = await turns.submit(id, { text: "And this?", images: [picture(3)] });
  const waiting = await references(fixture, id);
  for (const byte of [1, 2, 3]) assert.ok(waiting.named.includes(await sha256(picture(byte).data)), `picture ${byte}`);
  assert.deepEqual(waiting.named.filter((hash) => !waiting.held.includes(hash)), []);
  release();
  await fixture.ended(queued.fate === "turn" ? queued.turn : "");

  const other = (await book.create()).id;
  const receipt = await turns.submit(other, { text: "The same picture", images: [picture(1)] });
  await fixture.ended(receipt.fate === "turn" ? receipt.turn : "");
  const [first, second] = [await references(fixture, id), await references(fixture, other)];
  assert.deepEqual(first.held, first.named);
  assert.deepEqual(second.held, second.named);
  assert.deepEqual([first.named.length, second.named.length], [3 + 2 + 3, 1 + 1]);
  assert.deepEqual(await blobNames(dataDir), [...new Set([...first.named, ...second.named])].sort());

  const housekeeping = new Housekeeping({ book, storage, every: () => () => {}, report: () => {} });
  const expire = async (conversation: string) => {
    await book.delete(conversation);
    await storage.database.write([{
      sql: "update conversations set deleted_at = '2026' where deleted_at is not null",
    }]);
    await housekeeping.run();
  };
  await expire(id);
  assert.deepEqual(await blobNames(dataDir), second.named);
  await expire(other);
  assert.deepEqual(await blobNames(dataDir), []);
});
