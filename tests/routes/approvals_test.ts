import assert from "node:assert/strict";
import { join } from "node:path";
import { NOT_RUN } from "../../core/log/mod.ts";
import { openStorage } from "../../core/storage/mod.ts";
import { calls, ended, entriesOf, type Product, show, startProduct, waiting } from "./approvals_product.ts";

const answerTo = (product: Product, { conversation, seq }: { conversation: string; seq: number }, answer: unknown) =>
  product.ask("POST", `/api/approvals/${conversation}/${seq}`, answer);

Deno.test("a gated call is answered from a second tab, and the first tab sees it (K-185, K-186)", async () => {
  await using product = await startProduct({ script: calls("hello") });
  const [one, two] = [await product.tab(), await product.tab()];
  assert.deepEqual(one.hello.approvals, []);
  const { conversation, turn } = await product.say();
  await show(one.client, conversation);
  const [question] = await waiting(two.client, 1);
  assert.deepEqual(
    [
      question.conversation,
      question.turn,
      question.run,
      question.agent,
      question.toolset,
      question.tool,
      question.about,
    ],
    [conversation, turn, null, "assistant", "mail", "send", "Sends a mail"],
  );
  const [call] = await entriesOf(product, conversation, "tool");
  assert.deepEqual([call?.state, call?.data.status, question.entry], ["open", "waiting", call?.seq]);
  assert.deepEqual((await product.ask("GET", "/api/approvals")).body.items, [question]);
  assert.deepEqual(product.sent, [], "nothing runs while it waits");

  const { status, body } = await answerTo(product, question, { decision: "allow" });
  assert.deepEqual([status, body.decision, body.scope, body.by], [200, "allow", "once", "person"]);
  assert.deepEqual(await waiting(one.client, 0), []);
  assert.equal(await ended(one.client, turn), "done");
  assert.deepEqual(product.sent, ["hello"]);
  const [tool] = await entriesOf(product, conversation, "tool");
  assert.deepEqual([tool?.data.status, tool?.data.result], ["done", "sent as number 1"]);
  const [entry] = await entriesOf(product, conversation, "approval");
  assert.deepEqual([entry?.state, entry?.data.decision], ["done", "allow"]);
});

Deno.test("a gated call is answered after a reload: a new tab is told what waits", async () => {
  await using product = await startProduct({ script: calls("hello") });
  const before = await product.tab();
  const { conversation, turn } = await product.say();
  const [question] = await waiting(before.client, 1);
  await before.client.close();
  const { client, hello } = await product.tab();
  assert.deepEqual(hello.approvals, [question]);
  await show(client, conversation);
  const denied = await answerTo(product, question, { decision: "deny", reason: "Not today" });
  assert.deepEqual([denied.status, denied.body.reason], [200, "Not today"]);
  assert.equal(await ended(client, turn), "done");
  const [tool] = await entriesOf(product, conversation, "tool");
  assert.equal(tool?.data.status, "denied");
  assert.match(tool?.data.result ?? "", /the person denied it and says: Not today/);
  assert.deepEqual(product.sent, []);
});

Deno.test("after a crash what waited is closed as expired by the restart, and an answer to it runs nothing", async () => {
  await using product = await startProduct({ script: calls("hello") });
  const { client } = await product.tab();
  const { conversation } = await product.say();
  const [question] = await waiting(client, 1);
  const copy = await Deno.makeTempDir({ prefix: "malama-crash-" });
  try {
    await copyFolder(product.root, copy);
    await using after = await startProduct({ script: calls("hello"), root: copy });
    const [entry] = await entriesOf(after, conversation, "approval");
    assert.deepEqual([entry?.state, entry?.data.decision, entry?.data.by], ["done", "deny", "restart"]);
    const [tool] = await entriesOf(after, conversation, "tool");
    assert.deepEqual([tool?.data.status, tool?.data.result], ["interrupted", NOT_RUN]);
    assert.deepEqual((await after.ask("GET", "/api/approvals")).body.items, []);
    assert.equal((await answerTo(after, question, { decision: "allow" })).status, 409);
    assert.deepEqual(after.sent, []);
    const { body } = await after.ask("GET", `/api/conversations/${conversation}`);
    assert.equal(body.path.at(-1).status, "interrupted");
  } finally {
    await Deno.remove(copy, { recursive: true });
  }
});

Deno.test("a shutdown closes what waits, and the next start has nothing to ask", async () => {
  const root = await Deno.makeTempDir({ prefix: "malama-shutdown-" });
  try {
    const product = await startProduct({ script: calls("hello"), root });
    const { client } = await product.tab();
    const { conversation } = await product.say();
    const [question] = await waiting(client, 1);
    await product.stop();
    await using after = await startProduct({ script: calls("hello"), root });
    const [entry] = await entriesOf(after, conversation, "approval");
    assert.equal(entry?.state, "done");
    assert.notEqual(entry?.data.decision, "allow");
    assert.equal((await answerTo(after, question, { decision: "allow" })).status, 409);
    assert.deepEqual([product.sent, after.sent], [[], []]);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
});

Deno.test("never answered, it is denied in time, the turn ends, and no row is left running (casebook)", async () => {
  await using product = await startProduct({ script: calls("hello") });
  const { client } = await product.tab();
  const { conversation, turn } = await product.say();
  const [question] = await waiting(client, 1);
  await show(client, conversation);
  product.timeUp();
  assert.equal(await ended(client, turn), "done");
  const [entry] = await entriesOf(product, conversation, "approval");
  assert.deepEqual([entry?.data.decision, entry?.data.by], ["deny", "timeout"]);
  const late = await answerTo(product, question, { decision: "allow" });
  assert.deepEqual([late.status, late.body.type], [409, "urn:malama:problem:already-decided"]);
  assert.deepEqual(product.sent, []);
});

Deno.test("the time limit is [security].approval_timeout, and is kept without any help", async () => {
  const config = "[security]\napproval_timeout = 0.05\n";
  await using product = await startProduct({ script: calls("hello"), config, options: { after: undefined } });
  const { client } = await product.tab();
  const { conversation, turn } = await product.say();
  await show(client, conversation);
  await ended(client, turn);
  assert.equal((await entriesOf(product, conversation, "approval"))[0]?.data.by, "timeout");
});

Deno.test("an unattended turn is denied at once and nothing is asked, whatever is allowed from now on (K-096)", async () => {
  const root = await Deno.makeTempDir({ prefix: "malama-unattended-" });
  try {
    const product = await startProduct({ script: calls("hello"), root });
    const { body: { id } } = await product.ask("POST", "/api/conversations", {});
    await product.stop();
    // What a schedule leaves to be run.
    const storage = await openStorage({ dataDir: join(root, "data") });
    await storage.database.write([
      {
        sql: `insert into pending (id, conversation, origin, sender, text, images, files, place, at_root, at)
              values ('01TASK', ?, 'task', 'task', 'Send it', '[]', '[]', 0, 0, '2026-01-01T00:00:00.000Z')`,
        args: [id],
      },
      {
        sql: `insert into approval_rules (id, agent, toolset, tool, created_at)
              values ('01RULE', 'assistant', 'mail', 'send', '2026-01-01T00:00:00.000Z')`,
      },
    ]).finally(() => storage.close());
    await using after = await startProduct({ script: calls("hello"), root });
    const { client, hello } = await after.tab();
    await show(client, id);
    const { body } = await after.ask("GET", `/api/conversations/${id}`);
    if (body.path.at(-1)?.status !== "done") await ended(client, "01TASK");
    const [entry] = await entriesOf(after, id, "approval");
    assert.deepEqual([entry?.data.decision, entry?.data.by], ["deny", "policy"]);
    assert.deepEqual([hello.approvals, after.sent], [[], []]);
    assert.ok(client.heard.every(({ op }) => op !== "approvals"));
  } finally {
    await Deno.remove(root, { recursive: true });
  }
});

Deno.test("a stop while it waits ends the turn, closes the question, and runs nothing", async () => {
  await using product = await startProduct({ script: calls("hello", "again") });
  const { client } = await product.tab();
  const { conversation, turn } = await product.say();
  const [question] = await waiting(client, 2);
  await show(client, conversation);
  assert.deepEqual((await product.ask("POST", `/api/conversations/${conversation}/stop`)).body, { stopped: true });
  assert.equal(await ended(client, turn), "stopped");
  assert.deepEqual((await product.ask("GET", "/api/approvals")).body.items, []);
  assert.equal((await answerTo(product, question, { decision: "allow" })).status, 409);
  const all = await entriesOf(product, conversation, "approval");
  assert.deepEqual(all.map(({ state, data }) => [state, data.decision]), [["done", undefined], ["done", undefined]]);
  assert.deepEqual(product.sent, []);
});

Deno.test("a conversation that is deleted while it waits takes its questions with it", async () => {
  await using product = await startProduct({ script: calls("hello") });
  const { client } = await product.tab();
  const { conversation } = await product.say();
  const [question] = await waiting(client, 1);
  assert.equal((await product.ask("DELETE", `/api/conversations/${conversation}`)).status, 204);
  assert.deepEqual((await product.ask("GET", "/api/approvals")).body.items, []);
  assert.equal((await answerTo(product, question, { decision: "allow" })).status, 404);
  assert.deepEqual(product.sent, []);
});

Deno.test("four parallel questions are answered in any order, from two tabs", async () => {
  await using product = await startProduct({ script: calls("a", "b", "c", "d") });
  const { client } = await product.tab();
  const { conversation, turn } = await product.say();
  const questions = (await waiting(client, 4)).sort((a, b) => a.entry - b.entry);
  await show(client, conversation);
  const x = (index: number) => questions[index].arguments.x;
  assert.deepEqual([0, 1, 2, 3].map(x), ["a", "b", "c", "d"]);
  for (const [index, decision] of [[3, "allow"], [1, "deny"], [0, "allow"], [2, "deny"]] as const) {
    assert.equal((await answerTo(product, questions[index], { decision })).status, 200);
  }
  assert.equal(await ended(client, turn), "done");
  assert.deepEqual([...product.sent].sort(), ["a", "d"]);
  const tools = await entriesOf(product, conversation, "tool");
  assert.deepEqual(tools.map(({ data }) => data.status), ["done", "denied", "denied", "done"]);
});

Deno.test("what is wrong with an answer is a 400 that says where, and the question goes on waiting (bad input)", async () => {
  await using product = await startProduct({ script: calls("hello") });
  const { client } = await product.tab();
  const { conversation, turn } = await product.say();
  const [question] = await waiting(client, 1);
  await show(client, conversation);
  const bad: readonly (readonly [unknown, string])[] = [
    [{}, "decision"],
    [{ decision: "maybe" }, "decision"],
    [{ decision: "allow", scope: "for ever" }, "scope"],
    [{ decision: "allow", arguments: { x: 1 } }, "arguments"],
    [{ decision: "allow", arguments: null }, "arguments"],
    [{ decision: "deny", scope: "always" }, "scope"],
    [{ decision: "deny", reason: 3 }, "reason"],
  ];
  for (const [answer, path] of bad) {
    const { status, body } = await answerTo(product, question, answer);
    assert.deepEqual([status, body.errors?.[0]?.path], [400, path], JSON.stringify(answer));
  }
  for (
    const [place, status] of [["nowhere/1", 404], [`${conversation}/0`, 404], [`${conversation}/x`, 404], [
      `${conversation}/1`,
      404,
    ]] as const
  ) {
    assert.equal((await product.ask("POST", `/api/approvals/${place}`, { decision: "allow" })).status, status, place);
  }
  const changed = await answerTo(product, question, { decision: "allow", arguments: { x: "shorter" } });
  assert.deepEqual([changed.status, changed.body.changed], [200, { x: "shorter" }]);
  assert.equal((await answerTo(product, question, { decision: "allow" })).status, 409);
  assert.equal(await ended(client, turn), "done");
  assert.deepEqual(product.sent, ["shorter"]);
});

Deno.test("what is allowed from now on is listed, holds for later conversations, and asks again once it is revoked", async () => {
  await using product = await startProduct({ script: calls("hello") });
  const { client } = await product.tab();
  const first = await product.say();
  const [question] = await waiting(client, 1);
  await show(client, first.conversation);
  assert.deepEqual(question.rule, { agent: "assistant", toolset: "mail", tool: "send" });
  assert.equal((await answerTo(product, question, { decision: "allow", scope: "always" })).body.scope, "always");
  await ended(client, first.turn);
  const { body: { items: [rule, ...more] } } = await product.ask("GET", "/api/approval-rules");
  assert.deepEqual([rule.agent, rule.toolset, rule.tool, rule.arguments, more], [
    "assistant",
    "mail",
    "send",
    undefined,
    [],
  ]);

  const second = await product.say();
  await show(client, second.conversation);
  await ended(client, second.turn);
  const [entry] = await entriesOf(product, second.conversation, "approval");
  assert.deepEqual([entry?.data.decision, entry?.data.by, entry?.data.scope], ["allow", "policy", "always"]);
  assert.deepEqual(product.sent, ["hello", "hello"]);

  assert.equal((await product.ask("DELETE", `/api/approval-rules/${rule.id}`)).status, 204);
  assert.equal((await product.ask("DELETE", `/api/approval-rules/${rule.id}`)).status, 404);
  await product.say();
  await waiting(client, 1);
  const back = await product.ask("POST", `/api/approval-rules/${rule.id}/restore`);
  assert.deepEqual([back.status, back.body], [200, rule]);
});

Deno.test("a question where nobody looks is an alert to every tab; in view it is none, and turned away from it is one", async () => {
  await using product = await startProduct({ script: calls("hello") });
  const { client } = await product.tab();
  const hidden = await product.say();
  const alert = await client.next("alert");
  assert.deepEqual([alert.group, alert.conversation, alert.level], [
    `approval:${hidden.conversation}`,
    hidden.conversation,
    "warning",
  ]);
  assert.match(alert.text, /^assistant asks to run send in “Send it”$/);

  const { body: { id } } = await product.ask("POST", "/api/conversations", {});
  const other = await product.tab();
  await show(other.client, id);
  await product.ask("POST", `/api/conversations/${id}/messages`, { text: "Send another" });
  await waiting(other.client, 2);
  other.client.send({ op: "ping" });
  await other.client.next("pong");
  const inView = other.client.heard.filter(({ op, conversation }) => op === "alert" && conversation === id);
  assert.deepEqual(inView, [], "what is in view needs no alert");
  other.client.send({ op: "unwatch", conversation: id });
  const late = await other.client.until(({ op, conversation }) => op === "alert" && conversation === id);
  assert.match(late.at(-1)!.frame.text, /in “Send another”/);
});

Deno.test("the agents say which of their calls ask", async () => {
  await using product = await startProduct({ script: calls("hello") });
  const { body: { items: [agent] } } = await product.ask("GET", "/api/agents");
  assert.deepEqual(agent.gates, { confirm: ["mail.send"], review: [] });
});

async function copyFolder(from: string, to: string): Promise<void> {
  await Deno.mkdir(to, { recursive: true });
  for await (const { name, isDirectory } of Deno.readDir(from)) {
    if (isDirectory) await copyFolder(join(from, name), join(to, name));
    // The lock is the running process's own.
    else if (!name.includes("lock")) await Deno.copyFile(join(from, name), join(to, name));
  }
}
