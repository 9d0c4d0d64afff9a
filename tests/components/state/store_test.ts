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
    const storage of [null, { getItem: () => null, setItem: refuse, removeItem: refuse }, {
      getItem: refuse,
      setItem: refuse,
      removeItem: refuse,
    }]
  ) {
    const store = new Store("", storage);
    store.set("draft", "Hello");
    assert.equal(store.get("draft"), "Hello");
    store.set("draft", null);
    assert.equal(store.get("draft"), null);
  }
});

Deno.test("no token comes twice, on one page or on two", () => {
  const makers = Array.from({ length: 50 }, () => new TokenMaker());
  const tokens = makers.flatMap((maker) => Array.from({ length: 20 }, () => maker.next()));
  assert.equal(new Set(tokens).size, 1000);
  assert.match(tokens[0]!, /^[0-9a-f]{24}-1$/);
});
