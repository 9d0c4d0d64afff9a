import assert from "node:assert/strict";
import { signal } from "@preact/signals";
import { ApiError, type Attachment, NotConnected } from "../../../components/state/api.ts";
import { attachedKey, Attachments, LONG_PASTE, MAX_FILE_BYTES } from "../../../components/state/attachments.ts";
import { type KeyValue, Store } from "../../../components/state/store.ts";

const REF = "ab".repeat(32);

function memory(): KeyValue & { readonly held: Map<string, string> } {
  const held = new Map<string, string>();
  return {
    held,
    getItem: (key) => held.get(key) ?? null,
    setItem: (key, value) => void held.set(key, value),
    removeItem: (key) => void held.delete(key),
    key: (index) => [...held.keys()][index] ?? null,
    get length() {
      return held.size;
    },
  };
}

/** What one file's way to the server does: the test lets it come to its end. */
interface Sent {
  readonly name: string;
  readonly arrive: (attachment?: Partial<Attachment>) => void;
  readonly fail: (error: Error) => void;
  readonly progress: (share: number) => void;
  readonly signal: AbortSignal | undefined;
}

function setUp(storage = memory(), models: readonly { string: string; images: boolean }[] = []) {
  const sent: Sent[] = [];
  const said: string[] = [];
  const dropped: string[] = [];
  const conversation = signal<string | null>("c1");
  const model = signal("demo:tour");
  let made = 0;
  const attachments = new Attachments({
    api: {
      attach(file, name, { signal, onProgress = () => {} } = {}) {
        const { promise, resolve, reject } = Promise.withResolvers<Attachment>();
        signal?.addEventListener("abort", () => reject(signal.reason));
        sent.push({
          name,
          signal,
          fail: reject,
          progress: onProgress,
          arrive: (attachment = {}) => {
            const base = { name, media_type: file.type, bytes: file.size };
            resolve(
              (file.type.startsWith("image/")
                ? { kind: "image", ref: `/images/${REF}`, width: 3, height: 2, ...base, ...attachment }
                : { kind: "file", ref: `/payloads/${REF}`, ...base, ...attachment }) as Attachment,
            );
          },
        });
        return promise;
      },
      payload: (ref) => Promise.resolve(`the text of ${ref}`),
      models: () => Promise.resolve(models as never),
    },
    store: new Store("", storage),
    basePath: "/base",
    conversation,
    model,
    previews: { make: () => `blob:${++made}`, drop: (address) => dropped.push(address) },
    say: (text) => said.push(text),
  });
  const states = () => attachments.items.value.map(({ name, state }) => `${name} ${state}`);
  return { attachments, sent, said, dropped, conversation, model, storage, states };
}

const image = (name: string) => new File(["x"], name, { type: "image/png" });
const file = (name: string, text = "x") => new File([text], name, { type: "text/plain" });
/** Everything that was settled has been taken in. */
const settled = () => new Promise<void>((resolve) => setTimeout(resolve));

Deno.test("add() sends at once, says how far it is, and keeps what the server made of it", async () => {
  const { attachments, sent, states } = setUp();
  attachments.add([image("a.png")]);
  assert.deepEqual(states(), ["a.png sending"]);
  assert.equal(attachments.busy.value, true);
  sent[0]!.progress(0.5);
  assert.equal(attachments.items.value[0]?.progress, 0.5);
  sent[0]!.arrive({ name: "clean.png" });
  await settled();
  assert.deepEqual(states(), ["clean.png stored"]);
  assert.equal(attachments.items.value[0]?.preview, "blob:1");
  assert.equal(attachments.busy.value, false);
});

Deno.test("at most three go out at the same time, in the order they were added", async () => {
  const { attachments, sent, states } = setUp();
  attachments.add(["a", "b", "c", "d", "e"].map((name) => file(name)));
  assert.deepEqual(sent.map(({ name }) => name), ["a", "b", "c"]);
  assert.deepEqual(states().slice(3), ["d waiting", "e waiting"]);
  sent[1]!.arrive();
  await settled();
  assert.deepEqual(sent.map(({ name }) => name), ["a", "b", "c", "d"]);
  sent[0]!.fail(new ApiError(415, "This cannot be sent", "No"));
  await settled();
  assert.equal(sent[4]?.name, "e", "a refused one makes room too");
});

Deno.test("take() gives what is stored and leaves what is on its way or was refused where it is", async () => {
  const { attachments, sent, states, dropped, storage } = setUp();
  attachments.add([image("a.png"), file("b.txt"), file("c.txt")]);
  sent[0]!.arrive();
  sent[2]!.fail(new ApiError(415, "This cannot be sent", "It is no text"));
  await settled();
  const { images, files } = attachments.take("c1");
  assert.deepEqual(images, [
    { ref: `/images/${REF}`, name: "a.png", media_type: "image/png", bytes: 1, width: 3, height: 2 },
  ]);
  assert.deepEqual(files, []);
  assert.deepEqual(states(), ["b.txt sending", "c.txt refused"]);
  assert.deepEqual(dropped, ["blob:1"], "the browser lets go of the thumbnail");
  assert.deepEqual([...storage.held], []);
  sent[1]!.arrive();
  await settled();
  assert.equal(attachments.take("c1").files.length, 1);
});

Deno.test("what is stored survives a reload with its draft, and nothing else does", async () => {
  const first = setUp();
  first.attachments.add([image("a.png"), file("b.txt")]);
  first.sent[0]!.arrive();
  await settled();
  const { attachments, states, conversation } = setUp(first.storage);
  attachments.open("c1");
  attachments.open("c1");
  assert.deepEqual(states(), ["a.png stored"]);
  assert.equal(attachments.items.value[0]?.preview, `/base/images/${REF}`);
  conversation.value = "c2";
  assert.deepEqual(states(), [], "of another conversation");
  conversation.value = "c1";
  assert.equal(attachments.take("c1").images[0]?.name, "a.png");
  const third = setUp(first.storage);
  third.attachments.open("c1");
  assert.deepEqual(third.states(), [], "what a message took is gone from the draft");
});

Deno.test("what is kept of a draft and makes no sense is passed over", () => {
  const storage = memory();
  const ok = { kind: "file", ref: `/payloads/${REF}`, name: "ok", media_type: "text/plain", bytes: 1 };
  const wrong = [null, 7, {}, { attachment: { ...ok, ref: "https://elsewhere/x" } }, {
    attachment: { ...ok, kind: "x" },
  }];
  for (const kept of ["{", "7", JSON.stringify([...wrong, { attachment: ok }])]) {
    new Store("", storage).set(attachedKey("c1"), kept);
    const { attachments, states } = setUp(storage);
    attachments.open("c1");
    assert.deepEqual(states(), kept.startsWith("[") ? ["ok stored"] : []);
  }
});

Deno.test("300 pictures are one sentence and the first 20; files are counted apart", () => {
  const { attachments, said } = setUp();
  attachments.add(Array.from({ length: 300 }, (_, n) => image(`${n}.png`)));
  attachments.add([file("a.txt")]);
  assert.deepEqual(said, ["A message takes 20 pictures: the first 20 are attached, 280 were left out"]);
  assert.equal(attachments.items.value.length, 21);
  attachments.add([image("one more.png")]);
  assert.equal(said[1], "A message takes 20 pictures: the first 20 are attached, 1 was left out");
});

Deno.test("remove() ends the sending and makes room for the next", async () => {
  const { attachments, sent, states } = setUp();
  attachments.add(["a", "b", "c", "d"].map((name) => file(name)));
  attachments.remove(attachments.items.value[0]!.id);
  assert.equal(sent[0]?.signal?.aborted, true);
  await settled();
  assert.deepEqual(states(), ["b sending", "c sending", "d sending"]);
});

Deno.test("a file the server refused is not tried again; one the network lost is", async () => {
  const { attachments, sent, states } = setUp();
  attachments.add([file("bad.bin"), file("lost.txt")]);
  sent[0]!.fail(new ApiError(415, "This cannot be sent", "It is no text"));
  sent[1]!.fail(new NotConnected());
  await settled();
  const [bad, lost] = attachments.items.value;
  assert.deepEqual([bad?.problem, attachments.canRetry(bad!)], ["It is no text", false]);
  assert.equal(attachments.canRetry(lost!), true);
  attachments.retry(lost!.id);
  assert.deepEqual(states(), ["bad.bin refused", "lost.txt sending"]);
  sent[2]!.arrive();
  await settled();
  assert.deepEqual(states(), ["bad.bin refused", "lost.txt stored"]);
});

Deno.test("a file over 16 MB never leaves the browser", () => {
  const { attachments, sent } = setUp();
  const large = new File([new Uint8Array(MAX_FILE_BYTES + 1)], "film.gif", { type: "image/gif" });
  attachments.add([large]);
  assert.equal(sent.length, 0);
  assert.equal(attachments.items.value[0]?.problem, "It is larger than 16 MB");
  assert.equal(attachments.canRetry(attachments.items.value[0]!), false);
});

Deno.test("a long pasted text is a file that can become text again, before and after a reload", async () => {
  const first = setUp();
  const text = "word ".repeat(LONG_PASTE / 5 + 1);
  first.attachments.addText(text);
  first.sent[0]!.arrive();
  await settled();
  const [item] = first.attachments.items.value;
  assert.deepEqual([item?.name, item?.pasted], ["Pasted text.txt", true]);
  const again = setUp(first.storage);
  again.attachments.open("c1");
  assert.equal(again.attachments.items.value[0]?.pasted, true);
  await again.attachments.asText(again.attachments.items.value[0]!.id);
  assert.equal(again.attachments.inserted.value, `the text of /payloads/${REF}`);
  await first.attachments.asText(item!.id);
  assert.equal(first.attachments.inserted.value, text);
  assert.deepEqual(first.states(), []);
});

Deno.test("what is attached to a conversation that is not begun goes with it when it begins", async () => {
  const { attachments, sent, states, conversation, storage } = setUp();
  conversation.value = null;
  attachments.add([file("a.txt"), file("b.txt")]);
  sent[0]!.arrive();
  await settled();
  attachments.begun("c9");
  conversation.value = "c9";
  sent[1]!.arrive();
  await settled();
  assert.deepEqual(states(), ["a.txt stored", "b.txt stored"]);
  assert.deepEqual([...storage.held.keys()], ["malama::attached:c9"]);
});

Deno.test("putBack() gives a message's pictures and files back to the draft", () => {
  const { attachments, states } = setUp();
  const picture = { ref: `/images/${REF}`, name: "a.png", media_type: "image/png", bytes: 1 };
  const notes = { ref: `/payloads/${REF}`, name: "b.txt", media_type: "text/plain", bytes: 1 };
  attachments.putBack("c1", { images: [picture], files: [notes] });
  assert.deepEqual(states(), ["a.png stored", "b.txt stored"]);
  assert.deepEqual(attachments.take("c1"), { images: [picture], files: [notes] });
});

Deno.test("whether the model sees pictures is asked with the first one, and follows the model that is chosen", async () => {
  const { attachments, model } = setUp(memory(), [
    { string: "demo:tour", images: false },
    { string: "openai:seer", images: true },
  ]);
  attachments.add([file("a.txt")]);
  await settled();
  assert.equal(attachments.unseen.value, false, "not asked yet");
  attachments.add([image("a.png")]);
  await settled();
  assert.equal(attachments.unseen.value, true);
  model.value = "openai:seer";
  assert.equal(attachments.unseen.value, false);
  model.value = "custom:unknown";
  assert.equal(attachments.unseen.value, false, "what is not known is not claimed");
});
