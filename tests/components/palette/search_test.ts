import assert from "node:assert/strict";
import { PAUSE, Search } from "../../../components/palette/search.ts";
import { type Found, NotConnected } from "../../../components/state/api.ts";

interface Asked {
  readonly words: string;
  readonly signal: AbortSignal;
  readonly answer: PromiseWithResolvers<readonly Found[]>;
}

/** A search whose clock is turned by hand and whose answers are given by hand. */
function setUp() {
  const asked: Asked[] = [];
  let due: (() => void) | null = null;
  const search = new Search({
    ask: (words, signal) => {
      const answer = Promise.withResolvers<readonly Found[]>();
      asked.push({ words, signal, answer });
      return answer.promise;
    },
    after: (ms, then) => {
      assert.equal(ms, PAUSE);
      due = then;
      return () => due = due === then ? null : due;
    },
  });
  const pass = () => {
    due?.();
    due = null;
  };
  return { search, asked, pass };
}

const hit = (title: string) => [{ conversation: "c", title, seq: 1 } as Found];
const settled = () => new Promise((resolve) => setTimeout(resolve));

Deno.test("letters typed in a row are one question", async () => {
  const { search, asked, pass } = setUp();
  for (const words of ["fe", "fer", "ferry"]) search.lookFor(words);
  pass();
  assert.deepEqual(asked.map(({ words }) => words), ["ferry"]);
  asked[0]!.answer.resolve(hit("Coast"));
  await settled();
  assert.deepEqual(search.state.value, { state: "done", found: hit("Coast") });
});

Deno.test("an older answer is broken off, and dropped when it still comes", async () => {
  const { search, asked, pass } = setUp();
  search.lookFor("ferry");
  pass();
  search.lookFor("bread");
  assert.equal(asked[0]!.signal.aborted, true);
  pass();
  asked[1]!.answer.resolve(hit("Bread"));
  await settled();
  asked[0]!.answer.resolve(hit("Coast"));
  await settled();
  assert.deepEqual(search.found, hit("Bread"));
});

Deno.test("what was found stays while the next is asked for, and goes with the words", async () => {
  const { search, asked, pass } = setUp();
  search.lookFor("ferry");
  pass();
  asked[0]!.answer.resolve(hit("Coast"));
  await settled();
  search.lookFor("ferry boat");
  assert.deepEqual(search.state.value, { state: "asking", found: hit("Coast") });
  search.lookFor("f");
  assert.deepEqual(search.state.value, { state: "rest" });
  pass();
  assert.equal(asked.length, 1, "one letter is not looked for");
});

Deno.test("a server that is gone, and one that refuses, are told apart", async () => {
  const { search, asked, pass } = setUp();
  search.lookFor("ferry");
  pass();
  asked[0]!.answer.reject(new NotConnected());
  await settled();
  assert.deepEqual(search.state.value, { state: "offline" });
  search.lookFor("ferries");
  pass();
  asked[1]!.answer.reject(new Error("The store is damaged"));
  await settled();
  assert.deepEqual(search.state.value, { state: "failed", reason: "The store is damaged" });
});

Deno.test("a closed search asks nothing more", async () => {
  const { search, asked, pass } = setUp();
  search.lookFor("ferry");
  search.close();
  pass();
  assert.equal(asked.length, 0);
  search.lookFor("ferry");
  pass();
  search.close();
  asked[0]!.answer.reject(new DOMException("over", "AbortError"));
  await settled();
  assert.equal(search.state.value.state, "asking", "what came after the close changes nothing");
});
