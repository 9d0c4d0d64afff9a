import assert from "node:assert/strict";
import { Drafts } from "../../../components/state/drafts.ts";
import { type KeyValue, Store } from "../../../components/state/store.ts";

class Memory implements KeyValue {
  readonly held = new Map<string, string>();
  writes = 0;
  getItem = (key: string) => this.held.get(key) ?? null;
  setItem = (key: string, value: string) => {
    this.writes++;
    this.held.set(key, value);
  };
  removeItem = (key: string) => void this.held.delete(key);
  key = (n: number) => [...this.held.keys()][n] ?? null;
  get length() {
    return this.held.size;
  }
}

/** Drafts with a clock the test moves. */
function stage(memory = new Memory()) {
  const later = new Set<() => void>();
  const drafts = new Drafts({
    store: new Store("", memory),
    after: (_ms, then) => {
      later.add(then);
      return () => later.delete(then);
    },
  });
  const pass = () => {
    for (const then of [...later]) {
      later.delete(then);
      then();
    }
  };
  return { drafts, memory, pass };
}

const LONG = "word ".repeat(20_000);

Deno.test("what is written is kept per conversation, and an empty text is not kept", () => {
  const { drafts, memory } = stage();
  drafts.write("c1", "one");
  drafts.write(null, "not begun");
  assert.deepEqual([drafts.read("c1"), drafts.read(null), drafts.read("c2")], ["one", "not begun", ""]);
  assert.equal(stage(memory).drafts.read("c1"), "one");
  drafts.write("c1", "");
  drafts.write(null, "");
  assert.equal(memory.held.size, 0);
});

Deno.test("a long text is written down after a pause, and is what is read until then", () => {
  const { drafts, memory, pass } = stage();
  for (let n = 0; n < 50; n++) drafts.write("c1", LONG + n);
  assert.equal(memory.writes, 0);
  assert.equal(drafts.read("c1"), LONG + 49);
  pass();
  assert.equal(memory.writes, 1);
  assert.equal(stage(memory).drafts.read("c1"), LONG + 49);
});

Deno.test("a long text is written down when the page goes, or another draft is written", () => {
  const first = stage();
  first.drafts.write("c1", LONG);
  first.drafts.settle();
  assert.equal(stage(first.memory).drafts.read("c1"), LONG);
  const second = stage();
  second.drafts.write("c1", LONG);
  second.drafts.write("c2", "short");
  assert.equal(stage(second.memory).drafts.read("c1"), LONG);
});

Deno.test("a long text that is emptied does not come back", () => {
  const { drafts, memory, pass } = stage();
  drafts.write("c1", LONG);
  drafts.write("c1", "");
  pass();
  assert.equal(memory.held.size, 0);
});

Deno.test("the draft of a conversation that is not begun goes along when it is begun", () => {
  const { drafts } = stage();
  drafts.write(null, "typed while the first message went out");
  drafts.begun("c9");
  assert.deepEqual([drafts.read("c9"), drafts.read(null)], ["typed while the first message went out", ""]);
});

Deno.test("a conversation that begins without a draft leaves none", () => {
  const { drafts, memory } = stage();
  drafts.begun("c9");
  assert.equal(memory.held.size, 0);
});

Deno.test("what another tab wrote is heard, whatever conversation it is of", () => {
  const memory = new Memory();
  const [here, there] = [stage(memory).drafts, stage(memory).drafts];
  there.write("c1", "from there");
  here.heard("malama::draft:c1");
  assert.deepEqual(here.foreign.value, { conversation: "c1", text: "from there" });
  there.write(null, "new");
  here.heard("malama::draft:new");
  assert.deepEqual(here.foreign.value, { conversation: null, text: "new" });
  there.write("c1", "");
  here.heard("malama::draft:c1");
  assert.deepEqual(here.foreign.value, { conversation: "c1", text: "" });
});

Deno.test("keys that are not a draft's are not heard", () => {
  const { drafts } = stage();
  for (const key of [null, "draft:c1", "malama:/other:draft:c1", "malama::outbox:t1"]) drafts.heard(key);
  assert.equal(drafts.foreign.value, null);
});

Deno.test("last typed wins: a text that has yet to be written down is not replaced by another tab's older one", () => {
  const memory = new Memory();
  const here = stage(memory);
  stage(memory).drafts.write("c1", "from there");
  here.drafts.write("c1", LONG);
  here.drafts.heard("malama::draft:c1");
  assert.equal(here.drafts.foreign.value, null);
  here.pass();
  assert.equal(stage(memory).drafts.read("c1"), LONG);
});
