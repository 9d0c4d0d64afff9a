import assert from "node:assert/strict";
import fc from "fast-check";
import { choosePictures, toModelMessages, unseenPictures } from "../../../core/agent/messages.ts";
import type { ContextMessage, Entry, ImageRef } from "../../../core/log/mod.ts";
import type { Blobs } from "../../../core/storage/mod.ts";
import { sha256 } from "../../../core/storage/blobs.ts";
import { png } from "../log/sample_pictures.ts";
import { insertConversation, withStorage } from "../storage/sample_store.ts";

const image = (name: string, bytes = 10): ImageRef => ({
  ref: `/images/${"0".repeat(64)}`,
  name,
  media_type: "image/png",
  bytes,
});
const said = (...images: ImageRef[]): ContextMessage => ({ role: "user", text: "look", images });
const result = (...images: ImageRef[]): ContextMessage => ({
  role: "tool",
  call: "1",
  name: "draw",
  result: "drawn",
  failed: false,
  images,
});
const names = (context: readonly ContextMessage[], chosen: readonly (readonly boolean[])[]) =>
  context.map((message, index) =>
    message.role === "assistant"
      ? ""
      : message.images.filter((_, n) => chosen[index]?.[n]).map((each) => each.name).join()
  );

/** Stores of these texts, with a reference to each. */
function withFiles(texts: readonly string[], body: (blobs: Blobs, refs: readonly string[]) => Promise<void>) {
  return withStorage(async ({ blobs, database }) => {
    await database.write([insertConversation("c")]);
    const refs: string[] = [];
    for (const text of texts) {
      refs.push(`/payloads/${await blobs.put(new TextEncoder().encode(text), "text/plain", "c")}`);
    }
    await body(blobs, refs);
  });
}

Deno.test("choosePictures() sends the newest, and nothing older than the first that has no room", () => {
  const context = [said(image("a"), image("b")), result(image("c")), said(image("d")), result(image("e"))];
  const choose = (count: number, bytes = 1000) => names(context, choosePictures(context, { count, bytes }, 4));
  assert.deepEqual(choose(0), ["", "", "", ""]);
  assert.deepEqual(choose(1), ["", "", "", "e"]);
  assert.deepEqual(choose(3), ["", "c", "d", "e"]);
  assert.deepEqual(choose(4), ["b", "c", "d", "e"]);
  assert.deepEqual(choose(9), ["a,b", "c", "d", "e"]);
  assert.deepEqual(choose(9, 29), ["", "", "d", "e"]);
  const large = [said(image("small")), said(image("large", 500)), said(image("new"))];
  assert.deepEqual(names(large, choosePictures(large, { count: 9, bytes: 100 }, 3)), ["", "", "new"]);
});

Deno.test("choosePictures() always sends those of the message that is being answered, and counts them", () => {
  const context = [said(image("old")), said(image("a", 600), image("b", 600), image("c", 600)), result(image("drawn"))];
  assert.deepEqual(names(context, choosePictures(context, { count: 1, bytes: 100 }, 1)), ["", "a,b,c", ""]);
  assert.deepEqual(names(context, choosePictures(context, { count: 4, bytes: 1e6 }, 1)), ["", "a,b,c", "drawn"]);
  assert.deepEqual(names(context, choosePictures(context, { count: 5, bytes: 1e6 }, 1)), ["old", "a,b,c", "drawn"]);
});

Deno.test("choosePictures() without limits sends all", () => {
  const context = [said(image("a", 1e12)), result(image("b", 1e12))];
  assert.deepEqual(names(context, choosePictures(context, undefined, 2)), ["a", "b"]);
});

Deno.test("choosePictures() never goes over the limits with pictures of earlier turns, for any conversation", () => {
  const message = fc.tuple(fc.boolean(), fc.array(fc.integer({ min: 1, max: 50 }), { maxLength: 5 }))
    .map(([mine, sizes]) => (mine ? said : result)(...sizes.map((bytes, n) => image(String(n), bytes))));
  fc.assert(fc.property(fc.array(message), fc.nat(8), fc.nat(200), (context, count, bytes) => {
    const chosen = choosePictures(context, { count, bytes }, context.length);
    const all = context.flatMap((each, index) =>
      each.role === "assistant"
        ? []
        : each.images.map((one, n) => ({ bytes: one.bytes, sent: chosen[index]![n] === true }))
    );
    const sent = all.filter((each) => each.sent);
    assert.ok(sent.length <= count && sent.reduce((sum, each) => sum + each.bytes, 0) <= bytes);
    assert.ok(all.slice(all.length - sent.length).every((each) => each.sent), "the newest");
  }));
});

Deno.test("toModelMessages() says in the message which pictures are not sent again", () =>
  withStorage(async ({ blobs, database }) => {
    await database.write([insertConversation("c")]);
    const data = png(4, 4);
    const ref = `/images/${await blobs.put(data, "image/png", "c")}`;
    const many = Array.from({ length: 10 }, (_, n) => ({ ...image(`${n}.png`), ref }));
    const context = [said(...many), result({ ...image("map.png"), ref }), said({ ...image("new.png"), ref })];
    const messages = await toModelMessages(context, blobs, { limits: { count: 1, bytes: 1000 }, history: 2 });
    assert.deepEqual(messages.map((each) => "images" in each ? each.images?.length : 0), [0, 0, 1]);
    assert.equal(
      messages[0]?.role === "user" && messages[0].text,
      "look\n[10 pictures were here and are not sent again, to keep room: " +
        "0.png, 1.png, 2.png, 3.png, 4.png, 5.png, 6.png, 7.png and 2 more]",
    );
    assert.equal(
      messages[1]?.role === "tool" && messages[1].result,
      "drawn\n[a picture was here and is not sent again, to keep room: map.png]",
    );
    assert.deepEqual(messages[2], {
      role: "user",
      text: "look",
      images: [{ media_type: "image/png", data, name: "new.png" }],
    });
  }));

Deno.test("toModelMessages() says of a picture and of a file that is gone that it can no longer be read", () =>
  withStorage(async ({ blobs }) => {
    const file = { ref: `/payloads/${"1".repeat(64)}`, name: "notes.md", media_type: "text/plain", bytes: 3 };
    const [message] = await toModelMessages([{ ...said(image("a.png")), files: [file] } as ContextMessage], blobs);
    assert.equal(
      message?.role === "user" && message.text,
      "look\n\n[a file, notes.md, was attached and can no longer be read]" +
        "\n\n[a picture, a.png, was attached and can no longer be read]",
    );
  }));

Deno.test("toModelMessages() gives the whole text of a file with its name, and nothing in it ends its fence", () =>
  withFiles(["# Notes\n```js\nx\n```\n", "a ````` b"], async (blobs, [one, two]) => {
    const files = [
      { ref: one!, name: 'my "notes".md', media_type: "text/plain", bytes: 19 },
      { ref: two!, name: "b.txt", media_type: "text/plain", bytes: 9 },
    ];
    const [message] = await toModelMessages([{ role: "user", text: "Read these", images: [], files }], blobs);
    assert.deepEqual(message, {
      role: "user",
      text: 'Read these\n\nAttached file "my \\"notes\\".md", 19 bytes:\n````\n# Notes\n```js\nx\n```\n````\n\n' +
        'Attached file "b.txt", 9 bytes:\n``````\na ````` b\n``````',
    });
  }));

Deno.test("toModelMessages() keeps any text of a file apart from the message, whatever runs of backticks it has", () =>
  withStorage(async ({ blobs, database }) => {
    await database.write([insertConversation("c")]);
    const hostile = fc.string({ unit: fc.constantFrom("`", "\n", "a", " ", "~") });
    await fc.assert(
      fc.asyncProperty(hostile, async (text) => {
        const bytes = new TextEncoder().encode(text);
        const hash = await blobs.put(bytes, "text/plain", "c");
        assert.equal(hash, await sha256(bytes));
        const file = { ref: `/payloads/${hash}`, name: "a", media_type: "text/plain", bytes: bytes.length };
        const [message] = await toModelMessages([{ role: "user", text: "", images: [], files: [file] }], blobs);
        const lines = (message?.role === "user" ? message.text : "").split("\n");
        const fence = lines[1]!;
        assert.match(fence, /^`{3,}$/);
        assert.equal(lines.indexOf(fence, 2), lines.length - 1, "only the last line ends it");
        assert.equal(lines.slice(2, -1).join("\n").trimEnd(), text.trimEnd());
      }),
      { numRuns: 50 },
    );
  }));

Deno.test("unseenPictures() tells the person once how many pictures a blind model was not sent", () => {
  const entry = (count: number) =>
    ({ kind: "user", data: { text: "", images: Array(count).fill(image("a")), from: "person" } }) as unknown as Entry;
  const blind = { id: "small", images: false };
  assert.equal(unseenPictures([entry(2)], { id: "large", images: true }), null);
  assert.equal(unseenPictures([entry(0)], blind), null);
  assert.match(
    unseenPictures([entry(1)], blind) ?? "",
    /^The picture was left out: small is not known to see pictures/,
  );
  assert.match(unseenPictures([entry(3)], blind) ?? "", /^The 3 pictures were left out/);
});
