import assert from "node:assert/strict";
import { Commands } from "../../../components/state/commands.ts";
import { Panel } from "../../../components/state/panel.ts";
import { entitled } from "../../../components/state/unread.ts";

Deno.test("what is offered last answers, and what was offered before when it is taken back", () => {
  const commands = new Commands();
  const done: string[] = [];
  assert.equal(commands.run("rename"), false);
  const endFirst = commands.offer("rename", () => done.push("first"));
  const endSecond = commands.offer("rename", () => done.push("second"));
  assert.equal(commands.run("rename"), true);
  endSecond();
  commands.run("rename");
  endFirst();
  assert.equal(commands.has("rename"), false);
  assert.deepEqual(done, ["second", "first"]);
});

Deno.test("the panel shows one turn's calls, turns to another, and closes", () => {
  const panel = new Panel();
  const shown = () => panel.open.value;
  panel.turnTo(3);
  assert.equal(shown(), null);
  panel.openRounds("t1");
  assert.deepEqual(shown(), { turn: "t1", index: 0, run: null });
  panel.turnTo(2);
  assert.deepEqual(shown(), { turn: "t1", index: 2, run: null });
  panel.openRounds("t2", 1, "r1");
  assert.deepEqual(shown(), { turn: "t2", index: 1, run: "r1" });
});

Deno.test("the count of what is unread stands before the title, and goes", () => {
  assert.equal(entitled("Bread · Malama", { unread: 2, asked: false }), "(2) Bread · Malama");
  assert.equal(entitled("(2) Bread · Malama", { unread: 3, asked: false }), "(3) Bread · Malama");
  assert.equal(entitled("(3) Bread · Malama", { unread: 0, asked: false }), "Bread · Malama");
  assert.equal(entitled("(3) Bread · Malama", { unread: 3, asked: true }), "◆ (3) Bread · Malama");
  assert.equal(entitled("◆ (3) Bread · Malama", { unread: 0, asked: false }), "Bread · Malama");
  assert.equal(entitled("(draft) Bread", { unread: 0, asked: false }), "(draft) Bread");
});
