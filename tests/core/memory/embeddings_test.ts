import assert from "node:assert/strict";
import { EmbeddingFailed } from "../../../core/memory/embedding/embedder.ts";
import { withFolder } from "../storage/sample_store.ts";
import { closeHouse, type House, openHouse, TestEmbedder, withHouse } from "./household.ts";

async function models({ storage }: House): Promise<readonly unknown[]> {
  const rows = await storage.database.read("select embedding_model from memories order by n");
  return rows.map(({ embedding_model }) => embedding_model);
}

Deno.test("a failing embedder loses no memory, is reported once, and is tried again after a minute", () =>
  withHouse(async (house) => {
    const { memories, embedder, said, clock } = house;
    embedder.failure = new EmbeddingFailed("test-1", "failed", "the server is away");
    await memories.add("The dog is called Biscuit");
    await memories.settled();
    assert.equal((await memories.search("biscuit"))[0]?.text, "The dog is called Biscuit", "by its words");
    await memories.add("Taxes are due in May");
    await memories.settled();
    assert.equal(embedder.asked.length, 1, "not asked again within the minute");
    assert.equal(said.length, 1);
    assert.match(said[0]!, /the server is away.*found by their words meanwhile/);
    embedder.failure = null;
    clock.now = new Date(clock.now.getTime() + 61_000);
    await memories.search("anything");
    await memories.settled();
    assert.deepEqual(await models(house), ["test-1", "test-1"]);
  }));

Deno.test("a text that is refused holds up no other", () =>
  withHouse(async (house) => {
    const { memories, embedder, said } = house;
    embedder.refuses.add("Fact 3");
    for (let index = 0; index < 8; index++) await memories.add(`Fact ${index}`);
    await memories.settled();
    assert.deepEqual((await models(house)).map((model, index) => model === null ? index : "").join(""), "3");
    assert.equal(said.length, 1);
    assert.ok((await memories.search("Fact 3")).some(({ text }) => text === "Fact 3"));
  }));

Deno.test("a search by words answers while vectors are being made", () =>
  withHouse(async ({ memories, embedder }) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    embedder.gate = promise;
    await memories.add("The dog is called Biscuit");
    assert.equal((await memories.search("biscuit"))[0]?.score, 1);
    resolve();
  }));

Deno.test("a process that ends between storing and embedding finds what is left at the next start", () =>
  withFolder(async (folder) => {
    const stuck = new TestEmbedder();
    stuck.gate = new Promise(() => {});
    const first = await openHouse(folder, stuck);
    await first.memories.add("The dog is called Biscuit");
    // The process is gone: nothing waits for what was under way.
    await first.storage.close();
    const second = await openHouse(folder);
    assert.deepEqual(await models(second), [null]);
    assert.equal((await second.memories.search("biscuit"))[0]?.text, "The dog is called Biscuit");
    await second.memories.settled();
    assert.deepEqual(await models(second), ["test-1"]);
    await closeHouse(second);
  }));

Deno.test("after a change of model every memory is embedded anew and found by its words meanwhile", () =>
  withFolder(async (folder) => {
    const first = await openHouse(folder);
    for (let index = 0; index < 10; index++) await first.memories.add(`Fact number ${index}`);
    await first.memories.settled();
    await closeHouse(first);

    const { promise, resolve } = Promise.withResolvers<void>();
    const changed = new TestEmbedder("test-2");
    changed.gate = promise;
    const second = await openHouse(folder, changed);
    assert.equal((await second.memories.search("number 7"))[0]?.text, "Fact number 7");
    assert.deepEqual(new Set(await models(second)), new Set(["test-1"]));
    resolve();
    await second.memories.settled();
    assert.deepEqual(new Set(await models(second)), new Set(["test-2"]));
    assert.equal(changed.asked[0], "Fact number 9", "the newest first");
    await closeHouse(second);
  }));

Deno.test("stored vectors that are none are thrown away and made again", () =>
  withFolder(async (folder) => {
    const first = await openHouse(folder);
    for (let index = 0; index < 5; index++) await first.memories.add(`Fact number ${index}`);
    await first.memories.settled();
    const spoil = (n: number, embedding: Uint8Array) => ({
      sql: "update memories set embedding = ? where n = ?",
      args: [embedding, n],
    });
    const noNumber = new Uint8Array(2048);
    noNumber.set([0, 0, 0x80, 0x7f]);
    await first.storage.database.write([
      spoil(1, Uint8Array.of(1, 2, 3)),
      spoil(2, new Uint8Array(2048)),
      spoil(3, noNumber),
    ]);
    await closeHouse(first);
    const second = await openHouse(folder);
    assert.equal((await second.memories.search("number 3"))[0]?.text, "Fact number 3");
    await second.memories.settled();
    assert.equal(second.embedder.asked.filter((text) => text.startsWith("Fact")).length, 3);
    assert.match(second.said.join(), /3 memories were damaged and are made again/);
    assert.ok((await second.memories.search("number")).length === 5);
    await closeHouse(second);
  }));

Deno.test("a model that makes vectors of another length than before has all of them made again", () =>
  withFolder(async (folder) => {
    const first = await openHouse(folder);
    await first.memories.add("Fact");
    await first.memories.settled();
    await first.storage.database.write([{ sql: "update memories set embedding = x'0000803f'" }]);
    await closeHouse(first);
    const second = await openHouse(folder);
    assert.equal((await second.memories.search("fact"))[0]?.text, "Fact");
    await second.memories.settled();
    const [row] = await second.storage.database.read("select length(embedding) as bytes from memories");
    assert.equal(row?.bytes, 2048);
    await closeHouse(second);
  }));

Deno.test("a text that is edited while its vector is made gets no vector of its old words", () =>
  withHouse(async ({ memories, embedder, storage }) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    embedder.gate = promise;
    const { memory } = await memories.add("The car is red");
    await memories.edit(memory.id, "The bicycle is green");
    resolve();
    await memories.settled();
    assert.ok(embedder.asked.includes("The bicycle is green"));
    const [row] = await storage.database.read("select embedding_model from memories");
    assert.equal(row?.embedding_model, "test-1");
  }));

Deno.test("a search that is given up throws its reason and leaves the memories as they are", () =>
  withHouse(async ({ memories, embedder, said }) => {
    await memories.add("Fact");
    await memories.settled();
    const { promise, resolve } = Promise.withResolvers<void>();
    embedder.gate = promise;
    const stop = new AbortController();
    const search = memories.search("fact", { signal: stop.signal });
    await embedder.wasAsked("fact");
    stop.abort(new Error("enough"));
    resolve();
    await assert.rejects(search, /enough/);
    assert.equal((await memories.search("fact"))[0]?.text, "Fact");
    assert.deepEqual(said, []);
  }));
