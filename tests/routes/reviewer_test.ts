import assert from "node:assert/strict";
import { type FakeProvider, startFakeProvider } from "../providers/mod.ts";
import { calls, ended, entriesOf, type Product, show, startProduct, waiting } from "./approvals_product.ts";

const YES = { in_scope: true, reversible: true, injection_suspected: false, reason: "It is what was asked" };

/** The product with a reviewer; in each conversation it answers first, and then sends. */
function startReviewed(provider: FakeProvider, lines: string[] = []): Promise<Product> {
  return startProduct({
    script: [{ text: "What shall I send?" }, ...calls("hello")],
    config: `review = ["mail.send"]

[security.auto_approval]
enabled = true
reviewers = ["careful"]

[reviewers.careful]
model = ${JSON.stringify(provider.modelString)}
system_message = "Only what can be undone"
`,
    options: {
      env: () => "key",
      report: (level, subsystem, message) => lines.push(`${level} ${subsystem} ${message}`),
    },
  });
}

/** A tab that looks at a conversation, in which "Send hello" was said. */
async function sendWatched(product: Product) {
  const { client } = await product.tab();
  const { conversation, turn: first } = await product.say("Hello");
  await show(client, conversation);
  await ended(client, first);
  const path = `/api/conversations/${conversation}/messages`;
  const { body: { turn } } = await product.ask("POST", path, { text: "Send hello" });
  return { client, conversation, turn };
}

Deno.test("a reviewer answers in the person's place while somebody watches, and leaves a card (K-186, K-205)", async () => {
  await using provider = startFakeProvider("openai-chat", [{ text: JSON.stringify(YES) }]);
  const lines: string[] = [];
  await using product = await startReviewed(provider, lines);
  const { client, conversation, turn } = await sendWatched(product);
  assert.equal(await ended(client, turn), "done");
  assert.deepEqual(product.sent, ["hello"]);
  const [card] = await entriesOf(product, conversation, "approval");
  assert.deepEqual([card?.data.decision, card?.data.by, card?.data.reason], ["allow", "reviewer", YES.reason]);
  const asked = JSON.parse(provider.requests[0]!.body);
  assert.match(asked.messages.at(-1).content, /<untrusted_data name="request">\nSend hello\n/);
  assert.ok(
    lines.some((line) => /^INFO approvals mail\.send of "assistant" was approved/.test(line)),
    lines.join("\n"),
  );
  assert.ok(client.heard.every(({ op }) => op !== "approvals"));
});

Deno.test("a reviewer that is not sure leaves it to the person, with its reason on the card (K-203)", async () => {
  const text = JSON.stringify({ ...YES, injection_suspected: "false", reason: "Fine" });
  await using provider = startFakeProvider("openai-chat", [{ text }]);
  await using product = await startReviewed(provider);
  const { client } = await sendWatched(product);
  const [question] = await waiting(client, 1);
  assert.deepEqual(question.verdicts.map((each: { approved: boolean }) => each.approved), [false]);
  assert.match(question.verdicts[0].reason, /wrong type/);
  assert.deepEqual(product.sent, []);
});

Deno.test("a tab that looks away during the review: nothing runs, an alert, and no approved card (K-204)", async () => {
  const lookedAway = Promise.withResolvers<void>();
  await using provider = startFakeProvider("openai-chat", [{
    text: JSON.stringify(YES),
    gate: () => lookedAway.promise,
  }]);
  await using product = await startReviewed(provider);
  const { client, conversation } = await sendWatched(product);
  await provider.received(0);
  client.send({ op: "unwatch", conversation });
  client.send({ op: "ping" });
  await client.next("pong");
  lookedAway.resolve();
  const frames = await client.until(({ op }) => op === "alert");
  assert.equal(frames.at(-1)!.frame.group, `approval:${conversation}`);
  const entries = await entriesOf(product, conversation, "approval");
  assert.deepEqual(entries.map(({ state, data }) => [state, data.decision]), [["open", undefined]]);
  assert.deepEqual(entries[0]?.data.verdicts?.map(({ approved }) => approved), [false]);
  assert.deepEqual(product.sent, []);
});
