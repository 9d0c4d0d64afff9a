import assert from "node:assert/strict";
import { signal } from "@preact/signals";
import type { Conversation } from "../../../core/log/entry.ts";
import { Deletion, UNDO_MS } from "../../../components/state/deletion.ts";

const row = (id: string) => ({ id, title: id }) as Conversation;

/** A page whose server answers when it is told to. */
function onPage({ inView }: { readonly inView: string | null }) {
  const said: string[] = [];
  const timers: { ms: number; then: () => void }[] = [];
  const answers: PromiseWithResolvers<void>[] = [];
  const answered = (word: string) => {
    said.push(word);
    const answer = Promise.withResolvers<void>();
    answers.push(answer);
    return answer.promise;
  };
  const deletion = new Deletion({
    api: { remove: (id) => answered(`remove ${id}`), restore: (id) => answered(`restore ${id}`).then(() => row(id)) },
    live: {
      conversation: signal(inView === null ? null : row(inView)),
      takeRow: ({ id }) => void said.push(`row ${id}`),
      takeBack: ({ id }) => void said.push(`back ${id}`),
      dropRow: (id) => void said.push(`drop ${id}`),
      refresh: () => Promise.resolve(void said.push("refresh")),
    },
    attempt: (work) => work().catch(() => undefined),
    leave: () => void said.push("leave"),
    after: (ms, then) => {
      const timer = { ms, then };
      timers.push(timer);
      return () => void timers.splice(timers.indexOf(timer), 1);
    },
  });
  const settle = async () => {
    for (let turn = 0; turn < 10; turn++) await Promise.resolve();
  };
  return {
    deletion,
    said,
    timers,
    async answer(index: number, isRight = true) {
      if (isRight) answers[index]!.resolve();
      else answers[index]!.reject(new Error("no"));
      await settle();
    },
    settle,
  };
}

Deno.test("an undo is sent only after its deletion was answered", async () => {
  const { deletion, said, answer, settle } = onPage({ inView: null });
  deletion.remove(row("A"));
  deletion.undo();
  await settle();
  assert.deepEqual(said, ["drop A", "remove A"]);
  await answer(0);
  assert.deepEqual(said, ["drop A", "remove A", "restore A"]);
  await answer(1);
  assert.equal(said.at(-1), "back A");
  assert.equal(deletion.deleted.value, null);
});

Deno.test("a conversation in view is left when its deletion can no longer be undone, not at the news of it", async () => {
  const { deletion, said, timers, answer } = onPage({ inView: "A" });
  deletion.remove(row("A"));
  await answer(0);
  deletion.gone("A");
  assert.ok(!said.includes("leave"));
  assert.deepEqual([timers.length, timers[0]?.ms], [1, UNDO_MS]);
  timers[0]!.then();
  assert.equal(said.at(-1), "leave");
  assert.equal(deletion.deleted.value, null);
});

Deno.test("news of a deletion that comes after its undo asks the server instead of leaving, and once", async () => {
  const { deletion, said, timers, answer, settle } = onPage({ inView: "A" });
  deletion.remove(row("A"));
  await answer(0);
  deletion.undo();
  await settle();
  await answer(1);
  assert.equal(timers.length, 0);
  deletion.gone("A");
  assert.equal(said.at(-1), "refresh");
  deletion.gone("A");
  assert.equal(said.at(-1), "leave");
});

Deno.test("a deletion that failed gives the row back and takes the bar away; an undo of it asks for nothing", async () => {
  const { deletion, said, answer } = onPage({ inView: null });
  deletion.remove(row("A"));
  const undone = deletion.undo();
  await answer(0, false);
  await undone;
  assert.deepEqual(said, ["drop A", "remove A", "row A"]);
  assert.equal(deletion.deleted.value, null);
});

Deno.test("a second deletion takes the place of the first, whose time no longer counts", async () => {
  const { deletion, timers, said, answer } = onPage({ inView: null });
  deletion.remove(row("A"));
  await answer(0);
  deletion.remove(row("B"));
  await answer(1);
  assert.equal(timers.length, 1);
  assert.equal(deletion.deleted.value?.row.id, "B");
  assert.ok(!said.includes("leave"));
});
