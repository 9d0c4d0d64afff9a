import assert from "node:assert/strict";
import { BadMemory, MAX_MEMORY_LENGTH, MemoryExists, MemoryNotFound } from "../../../core/memory/mod.ts";
import { withFolder } from "../storage/sample_store.ts";
import { closeHouse, openHouse, withHouse } from "./household.ts";

const texts = (found: readonly { text: string }[]) => found.map(({ text }) => text);
const minutes = (count: number) => count * 60_000;

Deno.test("a fact is found by its words and by words that are spelled like them (K-331)", () =>
  withHouse(async ({ memories }) => {
    for (const text of ["The dog is called Biscuit", "Taxes are due in May", "Grandmother lives in Hilo"]) {
      await memories.add(text, { origin: "C1" });
    }
    await memories.settled();
    assert.equal((await memories.search("biscuits"))[0]?.text, "The dog is called Biscuit");
    assert.equal((await memories.search("what tax is due"))[0]?.text, "Taxes are due in May");
    const [found] = await memories.search("Hilo", { limit: 1 });
    assert.equal(found?.origin, "C1");
    assert.ok(found.score > 0 && found.score <= 1);
    assert.deepEqual(await memories.search("  "), []);
  }));

Deno.test("300 adds at once keep 300 facts, and one fact that is added 300 times at once is kept once", () =>
  withHouse(async ({ memories, storage }) => {
    await Promise.all(Array.from({ length: 300 }, (_, index) => memories.add(`Fact number ${index}`)));
    assert.equal(await memories.count(), 300);
    const same = await Promise.all(Array.from({ length: 300 }, () => memories.add("  Always the same\n")));
    assert.equal(await memories.count(), 301);
    assert.equal(same.filter(({ isNew }) => isNew).length, 1);
    assert.equal(new Set(same.map(({ memory }) => memory.id)).size, 1);
    await memories.settled();
    const [row] = await storage.database.read("select count(*) as n from memories where embedding is null");
    assert.equal(row?.n, 0, "each has its vector");
  }));

Deno.test("an empty text and one that is too long are refused with what would be right (K-328)", () =>
  withHouse(async ({ memories }) => {
    await assert.rejects(memories.add(" \n "), BadMemory);
    await assert.rejects(memories.add("x".repeat(MAX_MEMORY_LENGTH + 1)), /keep it as a document/);
    assert.equal(await memories.count(), 0);
  }));

Deno.test("right-to-left text and writing without blanks are found by their words", () =>
  withHouse(async ({ memories }) => {
    await memories.add("הכלב שלי נקרא ביסקוויט");
    await memories.add("قطتي اسمها لولو");
    await memories.add("犬の名前はビスケットです");
    await memories.settled();
    assert.equal((await memories.search("ביסקוויט"))[0]?.text, "הכלב שלי נקרא ביסקוויט");
    assert.equal((await memories.search("لولو"))[0]?.text, "قطتي اسمها لولو");
    assert.equal((await memories.search("ビスケット"))[0]?.text, "犬の名前はビスケットです");
  }));

Deno.test("what is typed into a search is never a part of the search's grammar", () =>
  withHouse(async ({ memories }) => {
    await memories.add('She said "NEAR(x y)" AND left');
    for (const typed of ['"', "NEAR(", "a AND", "text:", "*", "-x", "'; drop table memories; --", "\0", "\ud800"]) {
      await memories.search(typed);
    }
    assert.equal((await memories.search('"NEAR(x'))[0]?.text, 'She said "NEAR(x y)" AND left');
  }));

Deno.test("list() gives pages, the newest first, with nothing twice and nothing left out", () =>
  withHouse(async ({ memories }) => {
    for (let index = 0; index < 25; index++) await memories.add(`Fact ${index}`);
    const seen: string[] = [];
    let before: string | undefined;
    do {
      const page = await memories.list({ limit: 10, ...before !== undefined && { before } });
      seen.push(...texts(page.items));
      before = page.next ?? undefined;
    } while (before !== undefined);
    assert.deepEqual(seen, Array.from({ length: 25 }, (_, index) => `Fact ${24 - index}`));
  }));

Deno.test("an edited memory is found by its new words and no longer by the old ones", () =>
  withHouse(async ({ memories, clock }) => {
    const { memory } = await memories.add("The car is red");
    await memories.add("The house is white");
    await memories.settled();
    clock.now = new Date("2026-03-02T12:00:00Z");
    const edited = await memories.edit(memory.id, "A bicycle, painted green");
    assert.deepEqual(edited, { ...memory, text: "A bicycle, painted green", updated_at: clock.now.toISOString() });
    await memories.settled();
    assert.equal((await memories.search("green bicycle"))[0]?.id, memory.id);
    assert.notEqual((await memories.search("red"))[0]?.score, 1);
    assert.deepEqual(await memories.edit(memory.id, edited.text), edited, "the same text changes nothing");
    await assert.rejects(memories.edit(memory.id, "The house is white"), MemoryExists);
    await assert.rejects(memories.edit("nobody", "The sky is blue"), MemoryNotFound);
  }));

Deno.test("a removed memory is not found, comes back for ten minutes, and is gone after that", () =>
  withHouse(async ({ memories, clock, storage }) => {
    const { memory } = await memories.add("The safe's number is 4711");
    await memories.settled();
    assert.equal(await memories.remove(memory.id), true);
    assert.equal(await memories.remove(memory.id), false);
    assert.deepEqual(await memories.search("safe's number"), []);
    assert.equal((await memories.list()).items.length, 0);
    clock.now = new Date(clock.now.getTime() + minutes(9));
    await memories.tidy();
    assert.deepEqual(await memories.restore(memory.id), memory);
    await memories.settled();
    assert.equal((await memories.search("safe's number"))[0]?.id, memory.id);
    await memories.remove(memory.id);
    clock.now = new Date(clock.now.getTime() + minutes(11));
    await assert.rejects(memories.restore(memory.id), MemoryNotFound);
    await memories.tidy();
    assert.deepEqual(await storage.database.read("select id from memories"), []);
  }));

Deno.test("a memory that was removed and said again is there once when the first is brought back", () =>
  withHouse(async ({ memories }) => {
    const first = await memories.add("Tea without milk");
    await memories.remove(first.memory.id);
    const second = await memories.add("Tea without milk");
    assert.equal(second.isNew, true);
    assert.equal((await memories.restore(first.memory.id)).id, second.memory.id);
    assert.equal(await memories.count(), 1);
  }));

Deno.test("removal by text takes exactly that text (K-331)", () =>
  withHouse(async ({ memories }) => {
    await memories.add("Likes tea");
    await memories.add("Likes tea with milk");
    assert.equal(await memories.removeText("Likes"), null);
    assert.equal((await memories.removeText(" Likes tea "))?.text, "Likes tea");
    assert.deepEqual(texts((await memories.list()).items), ["Likes tea with milk"]);
  }));

Deno.test("what was remembered is there after a restart, with its vector", () =>
  withFolder(async (folder) => {
    const first = await openHouse(folder);
    await first.memories.add("The dog is called Biscuit");
    await first.memories.settled();
    await closeHouse(first);
    const second = await openHouse(folder);
    assert.equal((await second.memories.search("biscuits"))[0]?.text, "The dog is called Biscuit");
    assert.deepEqual(second.embedder.asked, ["biscuits"], "only the search is embedded");
    await closeHouse(second);
    assert.ok(second.embedder.closed);
  }));
