import assert from "node:assert/strict";
import { RuleNotFound } from "../../../../core/turn/mod.ts";
import { openDesk } from "./approvals_fixture.ts";

const rule = { agent: "assistant", toolset: "compute", tool: "run_command" };
const call = (given: unknown) => ({ ...rule, arguments: given });

Deno.test("the same rule is kept once, in whatever order its keys stand", async () => {
  await using fixture = await openDesk();
  await fixture.turn();
  assert.ok(await fixture.rules.add({ ...rule, arguments: { a: 1, b: 2 } }, null));
  assert.equal(await fixture.rules.add({ ...rule, arguments: { b: 2, a: 1 } }, null), null);
  assert.ok(
    await fixture.rules.add({ ...rule, arguments: { a: 1, b: 2 } }, "C"),
    "of a conversation it is another one",
  );
  assert.ok(await fixture.rules.add(rule, null));
  assert.equal((await fixture.rules.list()).length, 2);
});

Deno.test("a rule is found by its arguments, the wider one first", async () => {
  await using fixture = await openDesk();
  await fixture.turn();
  await fixture.rules.add({ ...rule, arguments: { x: "ls" } }, "C");
  assert.equal((await fixture.rules.find(call({ x: "ls" }), "C"))?.scope, "conversation");
  assert.equal(await fixture.rules.find(call({ x: "ls" }), "D"), null);
  assert.equal(await fixture.rules.find(call({ x: "rm" }), "C"), null);
  await fixture.rules.add(rule, null);
  assert.deepEqual(await fixture.rules.find(call({ x: "ls" }), "C"), { rule, scope: "always" });
});

Deno.test("a rule for no arguments at all is not one for any (bad input)", async () => {
  await using fixture = await openDesk();
  await fixture.rules.add({ ...rule, arguments: null }, null);
  assert.equal(await fixture.rules.find(call({ x: 1 }), "C"), null);
  assert.deepEqual((await fixture.rules.find(call(null), "C"))?.rule, { ...rule, arguments: null });
});

Deno.test("a conversation's rules go with it", async () => {
  await using fixture = await openDesk();
  await fixture.turn();
  await fixture.rules.add(rule, "C");
  await fixture.log.storage.database.write([{ sql: "delete from conversations where id = 'C'" }]);
  assert.deepEqual(await fixture.rules.list("C"), []);
});

Deno.test("a rule that was revoked comes back as it was; one that never was does not", async () => {
  await using fixture = await openDesk();
  const id = await fixture.rules.add({ ...rule, arguments: { x: 1 } }, null);
  const [kept] = await fixture.rules.list();
  await fixture.rules.remove(id!);
  assert.deepEqual(await fixture.rules.list(), []);
  assert.deepEqual(await fixture.rules.restore(id!), kept);
  assert.deepEqual(await fixture.rules.list(), [kept]);
  await assert.rejects(fixture.rules.restore(id!), RuleNotFound);
  await assert.rejects(fixture.rules.remove("none"), RuleNotFound);
});
