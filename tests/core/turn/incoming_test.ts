import assert from "node:assert/strict";
import { BadRequest } from "../../../core/conversation/mod.ts";
import type { Blobs, Storage } from "../../../core/storage/mod.ts";
import { storeAttachment } from "../../../core/turn/attachment.ts";
import type { IncomingMessage } from "../../../core/turn/contract.ts";
import { checkMessage, keepAttachments } from "../../../core/turn/incoming.ts";
import { gif, png, pngHeader } from "../log/sample_pictures.ts";
import { insertConversation, withStorage } from "../storage/sample_store.ts";

const text = (words: string) => new TextEncoder().encode(words);
const NOWHERE = "ab".repeat(32);
const picture = { name: "a.png", media_type: "image/png", data: png(3, 2) };
const file = { ref: `/payloads/${NOWHERE}`, name: "a.txt", media_type: "text/plain", bytes: 1 };

function refuses(message: Partial<IncomingMessage>, path: string, says: RegExp): void {
  assert.throws(
    () => checkMessage({ text: "Look", ...message }),
    (error) => error instanceof BadRequest && error.path === path && says.test(error.message),
  );
}

const rejects = (work: Promise<unknown>, path: string, says: RegExp) =>
  assert.rejects(work, (error) => error instanceof BadRequest && error.path === path && says.test(error.message));

/** A store with one conversation, `c`. */
const withBlobs = (body: (blobs: Blobs, storage: Storage) => Promise<void>) =>
  withStorage(async (storage) => {
    await storage.database.write([insertConversation("c")]);
    await body(storage.blobs, storage);
  });

Deno.test("checkMessage() takes a picture or a file without a word, and refuses nothing at all", () => {
  checkMessage({ text: " ", images: [picture] });
  checkMessage({ text: "", files: [file] });
  refuses({ text: " \n" }, "text", /Write something/);
});

Deno.test("checkMessage() refuses a picture whose bytes are not what it says", () => {
  const html = text("<!doctype html><script>alert(1)</script>");
  refuses(
    { images: [{ ...picture, data: html }] },
    "images.0.data",
    /"a\.png" is sent as image\/png and its bytes are no/,
  );
  refuses({ images: [picture, { ...picture, data: gif(2, 2) }] }, "images.1.data", /its bytes are image\/gif/);
  refuses({ images: [{ ...picture, media_type: "image/svg+xml" }] }, "images.0.media_type", /send PNG, JPEG/);
  refuses({ images: [{ ...picture, data: new Uint8Array() }] }, "images.0.data", /is empty/);
  refuses({ images: [{ ...picture, data: picture.data.slice(0, 40) }] }, "images.0.data", /cut short/);
  refuses({ images: [{ ...picture, data: pngHeader(20_000, 20_000) }] }, "images.0.data", /400 megapixels/);
});

Deno.test("checkMessage() takes 20 pictures and 20 files, and not one more", () => {
  checkMessage({ text: "", images: Array(20).fill(picture), files: Array(20).fill(file) });
  refuses({ images: Array(21).fill(picture) }, "images", /21 pictures are too many/);
  refuses({ files: Array(21).fill(file) }, "files", /21 files are too many/);
});

Deno.test("checkMessage() takes references of the one form alone", () => {
  const wrong = ["", "/images/", `/images/${"g".repeat(64)}`, `/payloads/${NOWHERE}`, `/images/../${NOWHERE}`];
  for (const ref of [...wrong, `/images/${NOWHERE.toUpperCase()}`, `http://x/images/${NOWHERE}`]) {
    refuses({ images: [{ ref, name: "a.png", media_type: "image/png", bytes: 1 }] }, "images.0.ref", /no reference/);
  }
  refuses({ files: [{ ...file, ref: `/images/${NOWHERE}` }] }, "files.0.ref", /like \/payloads/);
});

Deno.test("keepAttachments() stores what came with the message, and believes its bytes", () =>
  withBlobs(async (blobs, { database }) => {
    const { images, files } = await keepAttachments({ images: [{ ...picture, name: "../b\u202e.png" }] }, blobs, "c");
    assert.deepEqual(images.map(({ ref: _, ...rest }) => rest), [
      { name: "b.png", media_type: "image/png", bytes: picture.data.length, width: 3, height: 2 },
    ]);
    assert.deepEqual(files, []);
    const held = await database.read("select hash from blob_holders where conversation = 'c'");
    assert.deepEqual(held.map(({ hash }) => `/images/${hash}`), [images[0]?.ref]);
  }));

Deno.test("keepAttachments() finds and holds what was stored before, and reads its measures itself", () =>
  withBlobs(async (blobs, { database }) => {
    const image = await storeAttachment(png(40, 30), { name: "map.png", blobs });
    const notes = await storeAttachment(text("# Notes"), { name: "notes.md", blobs });
    const kept = await keepAttachments(
      {
        images: [{ ...image, media_type: "image/gif", bytes: 1, width: 9999, height: 1 }],
        files: [{ ...notes, media_type: "text/html", bytes: 0, name: "/tmp/notes.md" }],
      },
      blobs,
      "c",
    );
    const { kind: _image, ...imageRef } = image;
    const { kind: _file, ...fileRef } = notes;
    assert.deepEqual(kept, { images: [imageRef], files: [fileRef] });
    assert.equal((await database.read("select hash from blob_holders where conversation = 'c'")).length, 2);
    assert.deepEqual(await database.read("select key from meta where key like 'loose:%'"), []);
  }));

Deno.test("keepAttachments() refuses a reference to nothing, and says to attach it again", () =>
  withBlobs(async (blobs) => {
    const gone = /^"a\.(png|txt)" was not stored or is gone: attach it again$/;
    const image = { ref: `/images/${NOWHERE}`, name: "a.png", media_type: "image/png", bytes: 1 };
    await rejects(keepAttachments({ images: [picture, image] }, blobs, "c"), "images.1.ref", gone);
    await rejects(keepAttachments({ files: [file] }, blobs, "c"), "files.0.ref", gone);
  }));

Deno.test("keepAttachments() refuses a stored file of the other kind", () =>
  withBlobs(async (blobs) => {
    const image = await storeAttachment(png(4, 4), { name: "map.png", blobs });
    const notes = await storeAttachment(text("notes"), { name: "notes.md", blobs });
    const asImage = { ...notes, ref: notes.ref.replace("/payloads/", "/images/") };
    const asFile = { ...image, ref: image.ref.replace("/images/", "/payloads/") };
    await rejects(
      keepAttachments({ images: [asImage] }, blobs, "c"),
      "images.0.ref",
      /is no picture: send it as a file/,
    );
    await rejects(keepAttachments({ files: [asFile] }, blobs, "c"), "files.0.ref", /nor UTF-8 text/);
  }));
