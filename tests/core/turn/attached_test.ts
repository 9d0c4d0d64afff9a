import assert from "node:assert/strict";
import { z } from "zod";
import { openExport } from "../../../core/conversation/mod.ts";
import { type ModelRequest, scriptedModel } from "../../../core/model/mod.ts";
import { defineToolset, tool } from "../../../core/tool/mod.ts";
import { type MessageReceipt, storeAttachment } from "../../../core/turn/mod.ts";
import { png } from "../log/sample_pictures.ts";
import { openTurns, type TurnFixture } from "./turn_fixture.ts";

const turnOf = (receipt: MessageReceipt) => receipt.fate === "turn" ? receipt.turn : "";
const text = (words: string) => new TextEncoder().encode(words);

/** Pictures of a request, oldest first, by name. */
function pictures(request: ModelRequest | undefined): string[] {
  return (request?.messages ?? []).flatMap((message) =>
    message.role === "assistant" ? [] : (message.images ?? []).map(({ name }) => name ?? "")
  );
}

async function say(fixture: TurnFixture, id: string, message: Parameters<TurnFixture["turns"]["submit"]>[1]) {
  return await fixture.ended(turnOf(await fixture.turns.submit(id, message)));
}

const stored = async ({ storage: { blobs } }: TurnFixture, name: string, bytes: Uint8Array<ArrayBuffer>) => {
  const attachment = await storeAttachment(bytes, { name, blobs });
  return attachment.kind === "image" ? { images: [attachment] } : { files: [attachment] };
};

Deno.test("casebook: base64 images stored inside history, resent each turn, until the session overflows", async () => {
  const draw = tool({
    name: "draw",
    description: "Draws",
    input: z.object({}),
    run: () =>
      Promise.resolve({ text: "drawn", images: [{ name: "map.png", media_type: "image/png", data: png(8, 8) }] }),
  });
  const model = scriptedModel(
    (_, n) => n === 10 ? { tool_calls: [{ name: "draw", arguments: {} }] } : { text: `Answer ${n}` },
    { images: true, imageLimits: { count: 4, bytes: 7_000_000 } },
  );
  const toolset = defineToolset({ name: "drawing", description: "Drawing", tools: () => [draw] });
  await using fixture = await openTurns({ model, toolsets: [toolset] });
  const { id } = await fixture.book.create();
  for (let n = 0; n < 10; n++) {
    const data = png(64, 64, { bytes: 2_000_000, colour: [n, n, n] });
    assert.ok(data.length >= 1_999_000);
    await say(fixture, id, { text: `Picture ${n}`, images: [{ name: `${n}.png`, media_type: "image/png", data }] });
  }
  await say(fixture, id, { text: "Draw it" });
  await say(fixture, id, { text: "And now?" });

  const [row] = await fixture.storage.database.read(
    "select sum(length(data)) as bytes, max(length(data)) as largest from entries where conversation = ? and kind <> 'round'",
    [id],
  );
  assert.ok(Number(row?.bytes) < 20_000, `${row?.bytes} bytes of entries: references alone`);
  const asked = model.requests.map(pictures);
  assert.deepEqual(asked[0], ["0.png"]);
  assert.deepEqual(asked[9], ["7.png", "8.png", "9.png"], "three of 2 MB are within 7 MB, a fourth is not");
  assert.deepEqual(asked[11], ["7.png", "8.png", "9.png", "map.png"], "what the tool drew is the newest");
  assert.deepEqual(asked[12], ["7.png", "8.png", "9.png", "map.png"]);
  assert.ok(asked.every((names) => names.length <= 4));
  const early = model.requests[12]?.messages[0];
  assert.match(
    early?.role === "user" ? early.text : "",
    /a picture was here and is not sent again, to keep room: 0\.png/,
  );

  const { book: conversations, log, storage } = fixture;
  const { pieces } = await openExport({ conversations, log, storage }, id, { format: "jsonl", full: true });
  const exported = new Map<string, number>();
  for (const line of (await Array.fromAsync(pieces)).join("").trim().split("\n")) {
    const { blob } = JSON.parse(line);
    if (blob) exported.set(`/images/${blob.hash}`, blob.bytes);
  }
  for (const { data } of (await fixture.of(id, "user")).slice(0, 10)) {
    assert.ok((exported.get(data.images[0]!.ref) ?? 0) >= 1_999_000, "the export still holds it");
  }
});

Deno.test("a text file is kept by reference and its whole text is given to the model, in every later turn too", async () => {
  const model = scriptedModel((_, n) => ({ text: `Answer ${n}` }));
  await using fixture = await openTurns({ model });
  const { id } = await fixture.book.create();
  const attached = await stored(fixture, "notes.md", text("The ferry leaves at 09:12\n".repeat(1000)));
  await say(fixture, id, { text: "When does it leave?", ...attached });
  await say(fixture, id, { text: "Sure?" });
  for (const { messages } of model.requests) {
    const first = messages[0];
    assert.match(
      first?.role === "user" ? first.text : "",
      /^When does it leave\?\n\nAttached file "notes\.md", 26000 bytes:\n```\nThe ferry/,
    );
  }
  const [entry] = await fixture.of(id, "user");
  assert.deepEqual(entry?.data.files?.map(({ name, bytes }) => [name, bytes]), [["notes.md", 26_000]]);
  assert.ok(JSON.stringify(entry?.data).length < 500);
});

Deno.test("a message may be nothing but a file, and is called after it", async () => {
  const model = scriptedModel(() => ({ text: "Read" }));
  await using fixture = await openTurns({ model });
  const { id } = await fixture.book.create();
  await say(fixture, id, { text: "", ...await stored(fixture, "notes.md", text("hello")) });
  assert.equal((await fixture.of(id, "user")).length, 1);
  const first = model.requests[0]?.messages[0];
  assert.match(first?.role === "user" ? first.text : "", /^Attached file "notes\.md", 5 bytes:\n```\nhello\n```$/);
});

Deno.test("what a waiting message brings survives a restart, and is read then", async () => {
  const gate = Promise.withResolvers<void>();
  const wait = tool({
    name: "wait",
    description: "Waits",
    input: z.object({}),
    run: () => gate.promise.then(() => "over"),
  });
  const toolset = defineToolset({ name: "waiting", description: "Waiting", tools: () => [wait] });
  const first = await openTurns({
    model: scriptedModel(() => ({ tool_calls: [{ name: "wait", arguments: {} }] }), { images: true }),
    toolsets: [toolset],
    keep: true,
  });
  const { id } = await first.book.create();
  await first.turns.submit(id, { text: "Wait" });
  const image = await stored(first, "map.png", png(5, 4));
  const file = await stored(first, "notes.md", text("hello"));
  const receipt = await first.turns.submit(id, { text: "Then this", ...image, ...file });
  assert.equal(receipt.fate === "turn" && receipt.queued, true);
  gate.resolve();
  await first[Symbol.asyncDispose]();

  const model = scriptedModel(() => ({ text: "Seen" }), { images: true });
  await using again = await openTurns({ model, dataDir: first.dataDir });
  await again.turns.recover();
  await again.ended(turnOf(receipt));
  const last = (await again.of(id, "user")).at(-1)?.data;
  assert.deepEqual([last?.images.map(({ name, width, height }) => [name, width, height]), last?.files?.length], [
    [["map.png", 5, 4]],
    1,
  ]);
  const message = model.requests.at(-1)?.messages.at(-1);
  assert.equal(message?.role === "user" && message.images?.length, 1);
  assert.match(message?.role === "user" ? message.text : "", /Then this[^]*hello/);
});

Deno.test("a picture for a model that sees none is left out, and the person is told on the turn", async () => {
  const model = scriptedModel(() => ({ text: "I see nothing" }), { images: false, id: "small" });
  await using fixture = await openTurns({ model });
  const { id } = await fixture.book.create();
  await say(fixture, id, { text: "Look", ...await stored(fixture, "map.png", png(5, 4)) });
  await say(fixture, id, { text: "And now?" });
  const notices = (await fixture.of(id, "notice")).map(({ data }) => data.text);
  assert.deepEqual(notices, [
    "The picture was left out: small is not known to see pictures. Choose a model that does, and send it again",
  ], "once, on the turn it is about");
});

Deno.test("a message that names what is gone is refused before anything is written", async () => {
  await using fixture = await openTurns({ model: scriptedModel([]) });
  const { id } = await fixture.book.create();
  const gone = { ref: `/images/${"0".repeat(64)}`, name: "map.png", media_type: "image/png", bytes: 3 };
  await assert.rejects(fixture.turns.submit(id, { text: "Look", images: [gone], token: "t1" }), /attach it again/);
  assert.deepEqual(await fixture.storage.database.read("select id from turns"), []);
  assert.deepEqual(await fixture.of(id, "user"), []);
});

Deno.test("the same message twice with pictures is run once", async () => {
  const model = scriptedModel(() => ({ text: "Seen" }), { images: true });
  await using fixture = await openTurns({ model });
  const { id } = await fixture.book.create();
  const message = { text: "Look", token: "t1", ...await stored(fixture, "map.png", png(5, 4)) };
  const receipts = await Promise.all([1, 2, 3].map(() => fixture.turns.submit(id, message)));
  assert.equal(new Set(receipts.map(turnOf)).size, 1);
  await fixture.ended(turnOf(receipts[0]!));
  assert.equal(model.requests.length, 1);
});
