import assert from "node:assert/strict";
import { signal } from "@preact/signals";
import { Api } from "../../../components/state/api.ts";
import type { Boot } from "../../../components/state/boot.ts";
import { heldLeaf, History, PAGE } from "../../../components/state/history.ts";
import type { Entry, PathTurn } from "../../../core/log/entry.ts";
import { foldEntries, foldPath, type Transcript } from "../../../core/log/folds/transcript.ts";
import { entry, turn } from "../../core/log/folds/entries.ts";

const said = (seq: number, id: string) =>
  entry(seq, "user", { text: `Message ${id}`, images: [], from: "person" }, { turn: id });
const told = (seq: number, id: string) => entry(seq, "text", { text: `Answer ${seq}` }, { turn: id });

/** A log of which a page is loaded, and a server that answers from all of it along `path`. */
function stage(path: readonly PathTurn[], log: readonly Entry[], held: readonly Entry[], bounds: Partial<Boot> = {}) {
  const asked: string[] = [];
  let onPath = new Set(path.map(({ id }) => id));
  let fails = false;
  const api = new Api("", (input) => {
    const url = new URL(String(input), "http://here");
    asked.push(url.search);
    if (fails) return Promise.resolve(Response.json({ title: "No", detail: "Later" }, { status: 503 }));
    const before = Number(url.searchParams.get("before") ?? Infinity);
    const after = Number(url.searchParams.get("after") ?? 0);
    const limit = Number(url.searchParams.get("limit"));
    const all = log.filter(({ seq, turn }) => seq < before && seq > after && onPath.has(turn ?? ""));
    const items = url.searchParams.has("after") ? all.slice(0, limit) : all.slice(-limit);
    return Promise.resolve(Response.json({ items, last_seq: log.at(-1)?.seq ?? 0 }));
  });
  const transcript = signal<Transcript>(foldEntries(path, held));
  const history = new History({ older: null, newer: null, ...bounds } as Boot, api, transcript);
  return {
    history,
    transcript,
    asked,
    break: (does: boolean) => fails = does,
    move: (next: readonly PathTurn[]) => onPath = new Set(next.map(({ id }) => id)),
    seqs: () => transcript.value.turns.flatMap((view) => view.entries.map(({ seq }) => seq)),
  };
}

/** One turn of so many entries. */
function long(id: string, from: number, count: number): Entry[] {
  return Array.from({ length: count }, (_, n) => n === 0 ? said(from, id) : told(from + n, id));
}

Deno.test("older entries come until a turn begins with its message", async () => {
  const log = long("t1", 1, PAGE * 2 + 50);
  const { history, seqs, asked } = stage([turn("t1")], log, log.slice(-40), { older: log.at(-40)!.seq });
  await history.moreOlder();
  assert.equal(asked.length, 3);
  assert.equal(history.older.value, null);
  assert.deepEqual(seqs(), log.map(({ seq }) => seq));
});

Deno.test("a failure leaves the bounds, so that it can be asked for again", async () => {
  const log = [...long("t1", 1, 5), ...long("t2", 6, 5), ...long("t3", 11, 5)];
  const path = [turn("t1"), turn("t2", { n: 2, parent: "t1" }), turn("t3", { n: 3, parent: "t2" })];
  const world = stage(path, log, log.slice(5, 10), { older: 6, newer: 10 });
  world.break(true);
  await assert.rejects(world.history.moreOlder(), /Later/);
  await assert.rejects(world.history.moreNewer(), /Later/);
  assert.deepEqual([world.history.older.value, world.history.newer.value], [6, 10]);
  world.break(false);
  await world.history.moreOlder();
  await world.history.toEnd();
  assert.deepEqual([world.history.older.value, world.history.newer.value], [null, null]);
  assert.deepEqual(world.seqs(), log.map(({ seq }) => seq));
});

Deno.test("going down never stops inside the last turn", async () => {
  const log = [...long("t1", 1, 3), ...long("t2", 4, PAGE * 2)];
  const path = [turn("t1"), turn("t2", { n: 2, parent: "t1" })];
  const { history, seqs } = stage(path, log, log.slice(0, 3), { newer: 3 });
  await history.moreNewer();
  assert.equal(history.newer.value, null);
  assert.equal(seqs().length, log.length);
});

Deno.test("a branch comes into view together with its entries, asked for from where it forks", async () => {
  const log = [...long("a", 1, 2), ...long("b1", 3, 2), ...long("b2", 5, 2)];
  const old = [turn("a"), turn("b2", { n: 2, parent: "a" })];
  const next = [turn("a"), turn("b1", { n: 2, parent: "a" })];
  const world = stage(old, log, [...log.slice(0, 2), ...log.slice(4)]);
  world.move(next);
  const seen: number[][] = [];
  world.transcript.subscribe(() => seen.push(world.seqs()));
  await world.history.takePath(next, () => {});
  assert.deepEqual(seen, [[1, 2, 5, 6], [1, 2, 3, 4]], "never the turn without its entries");
  assert.equal(world.asked.length, 1);
  world.move(old);
  await world.history.takePath(old, () => {});
  assert.deepEqual(world.seqs(), [1, 2, 5, 6]);
  assert.equal(world.asked.length, 1, "what is held whole is not asked for");
});

Deno.test("where the turn before the fork is not loaded either, the page above brings it", async () => {
  const log = [...long("a", 1, 2), ...long("b1", 3, 2), ...long("b2", 5, 2)];
  const next = [turn("a"), turn("b1", { n: 2, parent: "a" })];
  const world = stage([turn("b2", { n: 2, parent: "a" })], log, log.slice(4), { older: 5 });
  world.move(next);
  await world.history.takePath(next, () => {});
  assert.deepEqual(world.seqs(), [1, 2, 3, 4]);
  assert.equal(world.history.older.value, null);
});

Deno.test("a branch below what is loaded waits until the reader comes there", async () => {
  const log = [...long("a", 1, 2), ...long("b", 3, 2), ...long("c", 5, 2)];
  const path = [turn("a"), turn("b", { n: 2, parent: "a" })];
  const world = stage(path, log, log.slice(0, 2), { newer: 2 });
  const next = [...path, turn("c", { n: 3, parent: "b" })];
  await world.history.takePath(next, () => {});
  assert.deepEqual([world.asked.length, world.history.newer.value], [0, 2]);
});

Deno.test("heldLeaf() follows the newest child, and gives nothing where a turn is not held", () => {
  const path = [turn("a"), turn("b1", { n: 2, parent: "a", siblings: ["b1", "b2"] })];
  const one = foldEntries(path, [said(1, "a"), said(2, "b1"), said(3, "b2")]);
  assert.equal(heldLeaf(one, "a"), "b1");
  const both = foldPath(one, [path[0]!, turn("b2", { n: 2, parent: "a" })]);
  assert.equal(heldLeaf(both, "a"), "b2");
  assert.equal(heldLeaf(both, "b1"), "b1");
  assert.equal(heldLeaf(foldPath(both, [path[0]!, turn("b3", { n: 2, parent: "a" })]), "a"), null);
});
