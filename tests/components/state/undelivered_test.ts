import assert from "node:assert/strict";
import { Store } from "../../../components/state/store.ts";
import { Undelivered } from "../../../components/state/undelivered.ts";
import type { Entry } from "../../../core/log/entry.ts";
import { foldEntries } from "../../../core/log/folds/transcript.ts";
import { entry, turn } from "../../core/log/folds/entries.ts";

const store = () => new Store("", null);
const lost = (seq: number, text: string, token?: string): Entry<"undelivered"> =>
  entry(seq, "undelivered", { text, from: "person", to: "assistant", token }) as Entry<"undelivered">;
const transcript = (...entries: Entry[]) => foldEntries([turn("t1", { status: "stopped" })], entries);

/** A tab that sent `mine`, with what came to its composer and what it sent. */
function tab(kept: Store, mine: readonly string[], draft = "") {
  const composer: string[] = [];
  const sent: string[] = [];
  const undelivered = new Undelivered({
    store: kept,
    isMine: (token) => mine.includes(token),
    composerIsEmpty: () => draft === "",
    toComposer: (text) => composer.push(text),
    say: (text) => sent.push(text),
  });
  undelivered.open();
  return { undelivered, composer, sent };
}

Deno.test("the tab that sent it gets it back into an empty composer, once", () => {
  const { undelivered, composer } = tab(store(), ["a", "b"]);
  const seen = transcript(lost(1, "First", "a"), lost(2, "Second", "b"));
  undelivered.take(seen);
  undelivered.take(seen);
  assert.deepEqual(composer, ["First\n\nSecond"]);
  assert.equal(undelivered.placeOf(lost(1, "First", "a")), "composer");
});

Deno.test("nothing is put over a draft, and it is not tried again when the draft is gone", () => {
  const { undelivered, composer } = tab(store(), ["a"], "Half a thought");
  undelivered.take(transcript(lost(1, "First", "a")));
  assert.deepEqual(composer, []);
  assert.equal(undelivered.placeOf(lost(1, "First", "a")), undefined);
});

Deno.test("another tab, and what carries no token, get nothing by themselves", () => {
  const { undelivered, composer } = tab(store(), ["a"]);
  undelivered.take(transcript(lost(1, "Not mine", "z"), lost(2, "Nobody's")));
  assert.deepEqual(composer, []);
});

Deno.test("what became of a message is known after a reload and in another tab", () => {
  const kept = store();
  const first = tab(kept, []);
  first.undelivered.sendNow(lost(1, "Again", "a"));
  first.undelivered.putBack(lost(2, "No token"));
  assert.deepEqual([first.sent, first.composer], [["Again"], ["No token"]]);
  const second = tab(kept, ["a"]);
  second.undelivered.take(transcript(lost(1, "Again", "a")));
  assert.deepEqual(second.composer, []);
  assert.equal(second.undelivered.placeOf(lost(1, "Again", "a")), "sent");
  assert.equal(second.undelivered.placeOf(lost(2, "No token")), "composer");
});

Deno.test("what is kept and cannot be read counts as nothing", () => {
  for (const text of ["{", "null", "[]", "3"]) {
    const kept = store();
    kept.set("undelivered", text);
    assert.deepEqual(tab(kept, []).undelivered.places.value, {});
  }
});
