import assert from "node:assert/strict";
import { z } from "zod";
import type { Entry } from "../../../../core/log/mod.ts";
import { defineToolset, tool } from "../../../../core/tool/mod.ts";
import { call, calls, cardTree, openTeam, resultsOf, spawn } from "./team.ts";

const usage = (input_tokens: number, output_tokens = 10) => ({
  usage: { input_tokens, output_tokens, cached_tokens: 0, cache_write_tokens: 0, reasoning_tokens: 0 },
});

/** A tool that waits until its turn is stopped. */
const waiting = () => {
  const began = Promise.withResolvers<void>();
  const toolset = defineToolset({
    name: "waiting",
    description: "Waits",
    tools: () => [tool({
      name: "wait",
      description: "Waits",
      input: z.object({}),
      run: (_, { signal }) => {
        began.resolve();
        const { promise, reject } = Promise.withResolvers<string>();
        signal.addEventListener("abort", () => reject(signal.reason), { once: true });
        return promise;
      },
    })],
  });
  return { toolset, began: began.promise };
};

Deno.test("a sub-agent answers with its last words, and its card holds its task, model, call and use (K-216)", async () => {
  await using team = await openTeam({
    assistant: {
      delegatesTo: ["researcher"],
      script: [{ ...spawn("researcher", "find it"), ...usage(100) }, { text: "It is 7", ...usage(120) }],
    },
    researcher: { model: "demo:other", thinking: "low", script: [{ text: "I found 7", ...usage(30) }] },
  });
  const turn = await team.say("What is it?");
  assert.equal(turn.status, "done");
  const entries = await team.entries();
  assert.deepEqual(resultsOf(entries, "spawn_subagent"), ["I found 7"]);
  const [card] = await team.cards();
  assert(card);
  const opened = entries.find((entry) => entry.kind === "tool");
  const { usage: used, ended_at, ...data } = card.data;
  assert.deepEqual(data, {
    agent: "researcher",
    task: "find it",
    status: "done",
    model: "demo:other",
    thinking: "low",
    address: "researcher#1",
    entry: opened?.seq,
  });
  assert.deepEqual([used?.calls, used?.input_tokens, typeof ended_at], [1, 30, "string"]);
  assert.equal(card.parent_run, null);
  assert.ok(entries.filter((entry) => entry.run === card.run).length >= 3, "its entries carry its id");
  assert.deepEqual(turn.usage?.by_agent, {
    researcher: { calls: 1, input_tokens: 30, output_tokens: 10 },
    assistant: { calls: 2, input_tokens: 220, output_tokens: 20 },
  });
});

Deno.test("a sub-agent is sent its task and nothing of the conversation, and its model is its own (K-028, K-210)", async () => {
  await using team = await openTeam({
    assistant: {
      thinking: "high",
      model: "demo:mine",
      delegatesTo: ["researcher"],
      script: [spawn("researcher", "find it")],
    },
    researcher: { generation: { temperature: 0.1 } },
  });
  await team.say("secret");
  const request = team.model.requests[1];
  assert.deepEqual(request?.messages, [{ role: "user", text: "find it" }]);
  assert.deepEqual([request?.thinking, request?.generation], [undefined, { temperature: 0.1 }]);
  assert.equal((await team.cards())[0]?.data.model, "demo:script");
});

Deno.test("the end of a card and the result of its call are one transaction (casebook: parent never told)", async () => {
  await using team = await openTeam({
    assistant: { delegatesTo: ["researcher"], script: [spawn("researcher")] },
    researcher: {},
  });
  const { database } = team.turns.storage;
  const write = database.write.bind(database);
  const batches: string[][] = [];
  Object.assign(database, {
    write: (statements: Parameters<typeof write>[0]) => {
      batches.push(statements.map((statement) => JSON.stringify(statement)));
      return write(statements);
    },
  });
  await team.say("go");
  const [card] = await team.cards();
  const end = batches.filter((batch) =>
    batch.some((text) => text.includes("ended_at") && text.includes("researcher#1"))
  );
  assert.equal(end.length, 1);
  assert.equal(end[0]?.length, 2);
  assert.match(end[0]?.[1] ?? "", /spawn_subagent/);
  assert.equal(card?.state, "done");
});

Deno.test("a sub-agent that used all its calls says so first (K-157, K-214)", async () => {
  const looping = (_: unknown, round: number) =>
    round < 2 ? call("list_agents", {}, `c${round}`) : { text: "so far: 3" };
  await using team = await openTeam({
    assistant: { delegatesTo: ["researcher"], script: [spawn("researcher")] },
    researcher: { maxIterations: 2, tools: ["messaging"], script: looping },
  });
  await team.say("go");
  const [result] = resultsOf(await team.entries(), "spawn_subagent");
  assert.match(result ?? "", /^Note: researcher used all its 2 model calls before it was done.*\n\nso far: 3$/s);
  const [card] = await team.cards();
  assert.deepEqual([card?.data.status, card?.data.capped], ["done", true]);
});

Deno.test("a sub-agent whose model fails answers with what it had and why, and the turn goes on", async () => {
  await using team = await openTeam({
    assistant: { delegatesTo: ["researcher"], script: [spawn("researcher"), { text: "Sorry" }] },
    researcher: { tools: ["messaging"], script: [{ text: "First", ...call("list_agents") }, { fail: "unreachable" }] },
  });
  assert.equal((await team.say("go")).status, "done");
  const [result] = resultsOf(await team.entries(), "spawn_subagent");
  assert.match(result ?? "", /^researcher failed: The scripted model did not answer.*First$/s);
  assert.equal((await team.cards())[0]?.data.status, "failed");
});

Deno.test("each level has its own menu, and cards nest as the work did (K-209, K-215)", async () => {
  await using team = await openTeam({
    assistant: { delegatesTo: ["chief"], script: [spawn("chief")] },
    chief: {
      delegatesTo: ["researcher", "coder"],
      script: [
        calls(
          ["spawn_subagent", { agent_type: "researcher", task: "a" }],
          ["spawn_subagent", { agent_type: "coder", task: "b" }],
          ["spawn_subagent", { agent_type: "researcher", task: "c" }],
        ),
        { text: "all done" },
      ],
    },
    researcher: { script: [{ text: "found" }] },
    coder: { delegatesTo: ["researcher"], script: [spawn("researcher", "d"), { text: "coded" }] },
  });
  await team.say("go");
  const replay = await team.replay();
  const tree = cardTree(replay.turns[0]?.blocks ?? []) as [string, string, ...[string]][][];
  assert.equal(tree[0]?.[0] as unknown, "chief#1");
  const below = (tree[0]?.slice(2) ?? []).map((card) => (card as unknown as unknown[])[0]).sort();
  assert.deepEqual(below, ["coder#1", ...below.filter((name) => String(name).startsWith("researcher"))]);
  assert.equal(below.length, 3);
  assert.equal((await team.cards()).length, 5);
  assert.deepEqual(await team.live(), replay, "live and replayed are the same");
});

Deno.test("a turn's budget holds for all of its runs together, and ends it before the first call past it (casebook: Runaway loop)", async () => {
  const busy = (_: unknown, round: number) => ({
    ...call("send_message", { to: "assistant", text: `${round}` }),
    ...usage(100),
  });
  await using team = await openTeam({
    assistant: {
      delegatesTo: ["researcher"],
      script: [{
        ...calls(
          ["spawn_subagent", { agent_type: "researcher", task: "a" }],
          ["spawn_subagent", { agent_type: "researcher", task: "b" }],
        ),
        ...usage(100),
      }],
    },
    researcher: { tools: ["messaging"], script: busy, maxIterations: 50 },
  }, { assistant: { budgetTokens: 1000 } });
  const turn = await team.say("go");
  assert.equal(turn.status, "stopped");
  const spent = (turn.usage?.input_tokens ?? 0) + (turn.usage?.output_tokens ?? 0);
  assert.ok(spent > 700 && spent <= 1000, `${spent}`);
  const notices = (await team.entries()).filter((entry): entry is Entry<"notice"> => entry.kind === "notice");
  assert.equal(notices.filter((entry) => entry.run === null).length, 1);
  assert.match(notices.at(-1)?.data.text ?? "", /this turn has used \d+ tokens of its budget of 1000/);
  assert.deepEqual((await team.cards()).map((card) => card.data.status), ["stopped", "stopped"]);
});

Deno.test("an agent's own budget bounds one run of it and nothing else (T-181)", async () => {
  const busy = (_: unknown, round: number) => ({
    ...call("list_agents", {}, `c${round}`),
    text: "still",
    ...usage(100),
  });
  await using team = await openTeam({
    assistant: { delegatesTo: ["researcher"], script: [spawn("researcher"), { text: "Thanks" }] },
    researcher: { tools: ["messaging"], script: busy, maxIterations: 50, budgetTokens: 350 },
  });
  assert.equal((await team.say("go")).status, "done");
  const [result] = resultsOf(await team.entries(), "spawn_subagent");
  assert.match(
    result ?? "",
    /^researcher was stopped before it was done: .*this run of researcher has used 330 tokens/s,
  );
});

Deno.test("a stop reaches every level, and every card says stopped (K-159)", async () => {
  const { toolset, began } = waiting();
  await using team = await openTeam({
    assistant: { delegatesTo: ["chief"], script: [spawn("chief")] },
    chief: { delegatesTo: ["researcher"], script: [{ text: "I ask", ...spawn("researcher") }] },
    researcher: { tools: ["waiting"], script: [{ text: "I wait", ...call("wait") }] },
  }, { toolsets: [toolset] });
  const turn = await team.begin("go");
  await began;
  const stopped = performance.now();
  await team.turns.turns.stop(team.conversation);
  assert.ok(performance.now() - stopped < 5000);
  assert.equal((await team.turns.ended(turn)).status, "stopped");
  const entries = await team.entries();
  assert.deepEqual((await team.cards()).map(({ state, data }) => [state, data.status]), [["done", "stopped"], [
    "done",
    "stopped",
  ]]);
  assert.ok(entries.every((entry) => entry.state === "done"));
  assert.equal(entries.at(-1)?.kind, "notice", "nothing is written after the turn's own end");
  assert.deepEqual(entries.filter((entry) => entry.kind === "text").map((entry) => entry.data.text), [
    "I ask",
    "I wait",
  ]);
  assert.deepEqual(await team.live(), await team.replay());
});

Deno.test("ten sub-agents work at once, and each result is its own", async () => {
  const all = Array.from(
    { length: 10 },
    (_, n) => ["spawn_subagent", { agent_type: "researcher", task: `task ${n}` }] as const,
  );
  let most = 0;
  let now = 0;
  const meet = Promise.withResolvers<void>();
  const meeting = defineToolset({
    name: "meeting",
    description: "Waits for the others",
    tools: () => [tool({
      name: "meet",
      description: "Waits",
      input: z.object({}),
      run: async () => {
        most = Math.max(most, ++now);
        if (now === 10) meet.resolve();
        await meet.promise;
        return "met";
      },
    })],
  });
  await using team = await openTeam({
    assistant: { delegatesTo: ["researcher"], script: [calls(...all), { text: "done" }] },
    researcher: {
      tools: ["meeting"],
      script: ({ messages }, round) => {
        const [first] = messages;
        return round === 0 ? call("meet") : { text: `did ${first?.role === "user" ? first.text : ""}` };
      },
    },
  }, { toolsets: [meeting] });
  await team.say("go");
  assert.equal(most, 10);
  assert.deepEqual(resultsOf(await team.entries(), "spawn_subagent"), all.map((_, n) => `did task ${n}`));
  assert.deepEqual(await team.live(), await team.replay());
});

Deno.test("unsafe calls of sub-agents wait for one lock (T-142)", async () => {
  let now = 0;
  let most = 0;
  const unsafe = defineToolset({
    name: "unsafe",
    description: "Alone",
    tools: () => [tool({
      name: "alone",
      description: "Alone",
      concurrent: false,
      input: z.object({}),
      run: async () => {
        most = Math.max(most, ++now);
        await new Promise((resolve) => queueMicrotask(() => resolve(undefined)));
        now--;
        return "ok";
      },
    })],
  });
  await using team = await openTeam({
    assistant: {
      delegatesTo: ["coder"],
      script: [calls(
        ["spawn_subagent", { agent_type: "coder", task: "a" }],
        ["spawn_subagent", { agent_type: "coder", task: "b" }],
      )],
    },
    coder: { tools: ["unsafe"], script: [call("alone"), { text: "done" }] },
  }, { toolsets: [unsafe] });
  await team.say("go");
  assert.equal(most, 1);
});

Deno.test("nested, capped, writing to a sibling and stopped, all in one turn: live and on replay it is the same", async () => {
  const { toolset, began } = waiting();
  await using team = await openTeam({
    assistant: {
      delegatesTo: ["chief", "coder"],
      script: [calls(
        ["spawn_subagent", { agent_type: "coder", task: "wait" }],
        ["spawn_subagent", { agent_type: "chief", task: "lead" }],
      )],
    },
    chief: { delegatesTo: ["researcher"], script: [spawn("researcher", "look"), { text: "led" }] },
    researcher: {
      tools: ["messaging"],
      maxIterations: 1,
      script: [call("send_message", { to: "everyone", text: "look out" }), { text: "as far as I came" }],
    },
    coder: { tools: ["waiting"], script: [call("wait")] },
  }, { toolsets: [toolset] });
  const chiefEnded = Promise.withResolvers<void>();
  team.turns.feed.subscribe((operation) => {
    if (operation.op === "patch" && "agent" in operation.data && operation.data.agent === "chief") chiefEnded.resolve();
  });
  const turn = await team.begin("go");
  await Promise.all([began, chiefEnded.promise]);
  await team.turns.turns.stop(team.conversation);
  await team.turns.ended(turn);
  const status = Object.fromEntries(
    (await team.cards()).map(({ data }) => [data.agent, [data.status, data.capped ?? false]]),
  );
  assert.deepEqual(status, { chief: ["done", false], researcher: ["done", true], coder: ["stopped", false] });
  const results = resultsOf(await team.entries(), "spawn_subagent");
  assert.ok(results.some((text) => text.startsWith("Note: researcher used all its 1 model calls")));
  assert.deepEqual(await team.live(), await team.replay());
});

Deno.test("a shutdown leaves a card interrupted, as its turn is", async () => {
  const { toolset, began } = waiting();
  await using team = await openTeam({
    assistant: { delegatesTo: ["coder"], script: [spawn("coder")] },
    coder: { tools: ["waiting"], script: [call("wait")] },
  }, { toolsets: [toolset] });
  const turn = await team.begin("go");
  await began;
  await team.turns.turns.close();
  assert.equal((await team.turns.ended(turn)).status, "interrupted");
  assert.equal((await team.cards())[0]?.data.status, "interrupted");
});
