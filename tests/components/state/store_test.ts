import assert from "node:assert/strict";
import { Store } from "../../../components/state/store.ts";
import { TokenMaker } from "../../../components/state/token.ts";

function map() {
  const held = new Map<string, string>();
  return {
    held,
    getItem: (key: string) => held.get(key) ?? null,
    setItem: (key: string, value: string) => void held.set(key, value),
    removeItem: (key: string) => void held.delete(key),
    key: (n: number) => [...held.keys()][n] ?? null,
    get length() {
      return held.size;
    },
  };
}

Deno.test("what is kept is kept under the base path, and an empty text is not kept", () => {
  const storage = map();
  const store = new Store("/a", storage);
  store.set("draft", "Hello");
  assert.equal(new Store("/a", storage).get("draft"), "Hello");
  assert.equal(new Store("", storage).get("draft"), null);
  store.set("draft", "");
  assert.equal(storage.held.size, 0);
});

Deno.test("a storage that is closed or full costs only the reload", () => {
  const refuse = () => {
    throw new DOMException("full", "QuotaExceededError");
  };
  for (
    const storage of [
      null,
      { getItem: () => null, setItem: refuse, removeItem: refuse, key: refuse, length: 1 },
      { getItem: refuse, setItem: refuse, removeItem: refuse, key: refuse, length: 1 },
    ]
  ) {
    const store = new Store("", storage);
    store.set("draft", "Hello");
    assert.equal(store.get("draft"), "Hello");
    assert.deepEqual(store.names("dr"), ["draft"]);
    store.set("draft", null);
    assert.equal(store.get("draft"), null);
  }
});

Deno.test("what a full storage would not take is what is given, not the older text it still has", () => {
  const storage = map();
  const store = new Store("", storage);
  assert.equal(store.set("draft", "Old"), true);
  const { setItem } = storage;
  storage.setItem = () => {
    throw new DOMException("full", "QuotaExceededError");
  };
  assert.equal(store.set("draft", "New"), false);
  assert.equal(store.get("draft"), "New");
  storage.setItem = setItem;
  assert.equal(store.set("draft", "Newer"), true);
  assert.equal(new Store("", storage).get("draft"), "Newer");
});

Deno.test("names() lists only its own, by how they begin", () => {
  const storage = map();
  new Store("/other", storage).set("outbox:1", "theirs");
  const store = new Store("", storage);
  for (const name of ["outbox:1", "outbox:2", "draft:new"]) store.set(name, "x");
  assert.deepEqual(store.names("outbox:"), ["outbox:1", "outbox:2"]);
});

Deno.test("no token comes twice, on one page or on two", () => {
  const makers = Array.from({ length: 50 }, () => new TokenMaker());
  const tokens = makers.flatMap((maker) => Array.from({ length: 20 }, () => maker.next()));
  assert.equal(new Set(tokens).size, 1000);
  assert.match(tokens[0]!, /^[0-9a-f]{24}-1$/);
});
