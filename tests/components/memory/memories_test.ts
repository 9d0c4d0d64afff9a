import assert from "node:assert/strict";
import { Memories, type MemoryCalls, type MemoryRows, type ShownMemory } from "../../../components/memory/memories.ts";

const fact = (id: string, text = id): ShownMemory => ({ id, text, origin: null, created_at: "c", updated_at: "u" });
const rows = (...ids: string[]): MemoryRows => ({ items: ids.map((id) => fact(id)), next: null, count: ids.length });

interface Given {
  readonly first?: MemoryRows;
  readonly calls?: Partial<MemoryCalls>;
}

function page({ first = rows("b", "a"), calls = {} }: Given = {}) {
  const failures: string[] = [];
  const memories = new Memories({
    first,
    query: "",
    calls: {
      list: () => Promise.resolve(rows()),
      add: (text) => Promise.resolve(fact("new", text)),
      change: (id, text) => Promise.resolve(fact(id, text)),
      remove: () => Promise.resolve(),
      restore: (id) => Promise.resolve(fact(id)),
      ...calls,
    },
    attempt: (work) => work().catch((error) => void failures.push(error.message)),
  });
  const ids = () => memories.rows.value.items.map(({ id }) => id);
  return { memories, failures, ids };
}

Deno.test("the answer to an older search never takes the place of a newer one", async () => {
  const answers = new Map<string, PromiseWithResolvers<MemoryRows>>();
  const { memories, ids } = page({
    calls: {
      list: (query) => {
        const answer = Promise.withResolvers<MemoryRows>();
        answers.set(query, answer);
        return answer.promise;
      },
    },
  });
  const older = memories.search("old");
  const newer = memories.search("new ");
  answers.get("new")?.resolve(rows("right"));
  await newer;
  answers.get("old")?.resolve(rows("wrong"));
  await older;
  assert.deepEqual([ids(), memories.query.value], [["right"], "new"]);
});

Deno.test("a search that fails is told and leaves the list; one that was given up is not told", async () => {
  const { memories, failures, ids } = page({
    calls: {
      list: (query, _, signal) =>
        query === "bad" ? Promise.reject(new Error("no")) : new Promise((_, reject) => {
          signal?.addEventListener("abort", () => reject(signal.reason));
        }),
    },
  });
  const slow = memories.search("slow");
  await memories.search("bad");
  await slow;
  assert.deepEqual([failures, ids(), memories.query.value], [["no"], ["b", "a"], ""]);
});

Deno.test("what is removed stays in its place and can be brought back there", async () => {
  const { memories, ids } = page();
  assert.equal(await memories.remove("b"), true);
  assert.deepEqual([ids(), [...memories.removed.value], memories.rows.value.count], [["b", "a"], ["b"], 1]);
  assert.equal(await memories.undo("b"), true);
  assert.deepEqual([ids(), [...memories.removed.value], memories.rows.value.count], [["b", "a"], [], 2]);
  await memories.remove("a");
  await memories.search("");
  assert.equal(memories.removed.value.size, 0, "another list has nothing to undo");
});

Deno.test("a change stays where it is, a new one comes first, and one that was there is not there twice", async () => {
  const { memories, ids } = page({
    calls: { add: (text) => Promise.resolve(fact(text === "again" ? "a" : "new", text)) },
  });
  memories.edit("a");
  assert.equal(await memories.keep("a", "changed"), true);
  assert.deepEqual([memories.rows.value.items[1]?.text, memories.editing.value], ["changed", null]);
  await memories.keep("", "fresh");
  await memories.keep("", "again");
  assert.deepEqual([ids(), memories.rows.value.count], [["new", "b", "a"], 3]);
  assert.equal(await memories.keep("", "  "), false);
});

Deno.test("a change that is refused keeps what is being written", async () => {
  const { memories, failures } = page({ calls: { change: () => Promise.reject(new Error("exists")) } });
  memories.edit("a");
  assert.equal(await memories.keep("a", "b"), false);
  assert.deepEqual([memories.editing.value, memories.busy.value, failures], ["a", false, ["exists"]]);
});

Deno.test("older ones are added to the end", async () => {
  const { memories, ids } = page({
    first: { ...rows("c", "b"), next: "b", count: 3 },
    calls: {
      list: (query, before) => Promise.resolve(query === "" && before === "b" ? { ...rows("a"), count: 3 } : rows()),
    },
  });
  await memories.more();
  await memories.more();
  assert.deepEqual([ids(), memories.rows.value.next], [["c", "b", "a"], null]);
});

Deno.test("what was done while older ones were on their way is not undone by them", async () => {
  const answer = Promise.withResolvers<MemoryRows>();
  const { memories, ids } = page({
    first: { ...rows("c", "b"), next: "b", count: 3 },
    calls: { list: () => answer.promise },
  });
  const older = memories.more();
  await memories.keep("", "fresh");
  await memories.keep("b", "changed");
  answer.resolve({ ...rows("a"), count: 3 });
  await older;
  assert.deepEqual([ids(), memories.rows.value.count], [["new", "c", "b", "a"], 4]);
  assert.equal(memories.rows.value.items[2]?.text, "changed");
});
