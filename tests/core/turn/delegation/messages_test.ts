import assert from "node:assert/strict";
import { MessageBus } from "../../../../core/turn/bus.ts";
import { messagesOf } from "../../../../core/turn/delegation/messages.ts";
import type { Entry } from "../../../../core/log/mod.ts";
import { call, calls, openTeam, resultsOf } from "./team.ts";

const newId = () => crypto.randomUUID();

Deno.test("send() refuses without an address, a blank text, a selector nobody answers to, and after the turn (K-133)", () => {
  const bus = new MessageBus();
  bus.openEntry("assistant");
  const { address } = bus.openWorker("researcher");
  const messages = messagesOf(bus, address, newId);
  assert.deepEqual(messagesOf(bus, null, newId).send("everyone", "x"), { status: "refused", why: "no address" });
  assert.deepEqual(messages.send("assistant", "  "), { status: "refused", why: "blank" });
  assert.deepEqual(messages.send("resear", "x"), {
    status: "refused",
    why: "nobody",
    to: "resear",
    roster: ["assistant", "researcher#1"],
  });
  assert.deepEqual(messages.send(" researcher ", "x"), {
    status: "accepted",
    to: "researcher",
    covers: ["researcher#1"],
  });
  assert.deepEqual(messages.send("everyone", "x"), {
    status: "accepted",
    to: "everyone",
    covers: ["assistant", "researcher#1"],
  });
  bus.close();
  assert.deepEqual(messages.send("assistant", "x"), { status: "refused", why: "over" });
});

Deno.test("everyone on an empty roster is accepted, and covers nobody yet (K-133)", () => {
  const messages = messagesOf(new MessageBus(), "a", newId);
  assert.deepEqual(messages.send("everyone", "x"), { status: "accepted", to: "everyone", covers: [] });
});

Deno.test("sub-agents read what siblings wrote, credited to their address, also what was sent before they began (K-123)", async () => {
  const wrote = Promise.withResolvers<void>();
  await using team = await openTeam({
    assistant: {
      delegatesTo: ["researcher", "coder"],
      script: [calls(
        ["spawn_subagent", { agent_type: "researcher", task: "write" }],
        ["spawn_subagent", { agent_type: "coder", task: "read" }],
      )],
    },
    researcher: { tools: ["messaging"], script: [call("send_message", { to: "coder", text: "use port 8" })] },
    coder: {
      tools: ["messaging"],
      // It takes steps until the message is in front of it.
      script: ({ messages }, round) => {
        const read = messages.flatMap((message) => message.role === "user" ? [message.text] : []).slice(1);
        if (read.length > 0) wrote.resolve();
        return read.length > 0
          ? { text: `read: ${read.join()}` }
          : call("send_message", { to: "coder#9", text: `${round}` });
      },
      maxIterations: 100,
    },
  });
  await team.say("go");
  await wrote.promise;
  const results = resultsOf(await team.entries(), "spawn_subagent");
  assert.match(results[1] ?? "", /^read: \[message from researcher#1(, sent before you began)?\]\nuse port 8$/);
  const inbox = (await team.entries()).filter((entry): entry is Entry<"inbox"> => entry.kind === "inbox");
  assert.equal(inbox[0]?.run, (await team.cards()).find(({ data }) => data.agent === "coder")?.run);
});

Deno.test("what nobody read is told to the person when the turn ends, not to the sender (K-108, K-133)", async () => {
  await using team = await openTeam({
    assistant: {
      tools: ["messaging"],
      delegatesTo: ["coder"],
      script: [
        call("spawn_subagent", { agent_type: "coder", task: "a" }),
        call("send_message", { to: "coder#1", text: "one more thing" }),
      ],
    },
    coder: {},
  });
  await team.say("go");
  const entries = await team.entries();
  assert.match(resultsOf(entries, "send_message")[0] ?? "", /^Accepted for coder#1\. That does not mean/);
  assert.deepEqual(entries.filter((entry) => entry.kind === "undelivered").map(({ data }) => data), [
    { text: "one more thing", from: "assistant", to: "coder#1" },
  ]);
});

Deno.test("list_agents names every address that was opened, the caller's own, everyone, and not the person (K-134)", async () => {
  await using team = await openTeam({
    assistant: { delegatesTo: ["coder"], script: [call("spawn_subagent", { agent_type: "coder", task: "a" })] },
    coder: { tools: ["messaging"], script: [call("list_agents")] },
  });
  await team.say("go");
  const [list] = resultsOf(await team.entries(), "list_agents");
  assert.match(
    list ?? "",
    /^- assistant\n- coder#1 \(you\)\n- everyone\nAn address may be that of an agent that is done\. The person is not/,
  );
});
