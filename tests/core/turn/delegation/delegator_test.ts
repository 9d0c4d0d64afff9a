import assert from "node:assert/strict";
import { z } from "zod";
import { defineToolset, tool } from "../../../../core/tool/mod.ts";
import { call, openTeam, resultsOf } from "./team.ts";

const echo = defineToolset({
  name: "echoes",
  description: "Says it again",
  tools: () => [tool({ name: "echo", description: "echo", input: z.object({ x: z.string() }), run: ({ x }) => x })],
});
const secret = defineToolset({ name: "secrets", description: "Not for others", entryOnly: true, tools: () => [] });
const toolsets = [echo, secret];
const compose = (rest: object = {}) =>
  call("compose_subagent", { name: "checker", task: "check it", tools: ["echoes"], ...rest });

/** What compose answers to an order, asked of a fresh team. */
async function answered(order: object): Promise<string> {
  await using team = await openTeam({ assistant: { tools: ["capabilities"], script: [compose(order)] } }, { toolsets });
  await team.say("go");
  assert.deepEqual(await team.cards(), []);
  return resultsOf(await team.entries(), "compose_subagent")[0] ?? "";
}

for (
  const [order, words] of [
    [{ tools: [] }, /^Nothing was started: name at least one capability/],
    [{ tools: [" "] }, /^Nothing was started: name at least one capability/],
    [{ tools: ["echoes", " Capabilities "] }, /"Capabilities" cannot be given away/],
    [{ tools: ["echos"] }, /there is no capability "echos"\. There are messaging, echoes$/],
    [{ tools: ["secrets"] }, /"secrets" is for the entry agent alone/],
    [{ task: " " }, /the task is empty/],
    [{ name: "assistant" }, /"assistant" is a declared agent/],
    [{ name: "everyone" }, /"everyone" cannot be its name/],
    [{ name: "a:b" }, /"a:b" cannot be its name/],
  ] as const
) {
  Deno.test(`compose_subagent refuses ${JSON.stringify(order)} with a sentence (K-169)`, async () => {
    assert.match(await answered(order), words);
  });
}

Deno.test("a composed sub-agent does one task with what was named, on the defaults, and is gone (K-212)", async () => {
  await using team = await openTeam({
    assistant: { model: "demo:mine", tools: ["capabilities"], script: [compose({ instructions: "Be exact." })] },
  }, { toolsets, composed: [call("echo", { x: "hi" }), { text: "checked" }], assistant: { generation: { top_k: 3 } } });
  await team.say("go");
  const entries = await team.entries();
  assert.deepEqual(resultsOf(entries, "compose_subagent"), ["checked"]);
  const [card] = await team.cards();
  assert(card);
  const { agent, address, model, tool: opener, arguments: input } = card.data;
  assert.deepEqual([agent, address, model, opener], [
    "composed:checker",
    "checker#1",
    "demo:script",
    "compose_subagent",
  ]);
  assert.deepEqual((input as { task: string }).task, "check it");
  const request = team.model.requests[1];
  assert.deepEqual(request?.tools.map(({ name }) => name), ["echo", "list_capabilities", "compose_subagent"]);
  assert.match(request?.system ?? "", /^Be exact\./);
  assert.deepEqual(request?.generation, { top_k: 3 });
});

Deno.test("composed sub-agents nest until their depth is spent, and the last one cannot compose (K-212)", async () => {
  await using team = await openTeam(
    { assistant: { tools: ["capabilities"], script: [compose()] } },
    {
      toolsets,
      composed: ({ tools }, round) =>
        round === 0 && tools.some(({ name }) => name === "compose_subagent") ? compose() : { text: "end" },
    },
  );
  await team.say("go");
  const cards = await team.cards();
  assert.equal(cards.length, 3, "[capabilities].max_depth is 3");
  assert.deepEqual(cards.map(({ parent_run }) => parent_run), [null, cards[0]?.run, cards[1]?.run]);
  assert.deepEqual(team.model.requests.at(-4)?.tools.map(({ name }) => name) ?? [], ["echo"]);
});

Deno.test("list_capabilities lists every toolset but itself, with its provider, and builds nothing (K-169)", async () => {
  await using team = await openTeam({
    assistant: {
      tools: ["capabilities"],
      script: [call("list_capabilities"), call("list_capabilities", { filter: "AGAIN" })],
    },
  }, { toolsets });
  await team.say("go");
  const [all, some] = resultsOf(await team.entries(), "list_capabilities");
  assert.equal(
    all,
    "- messaging (built-in): Writing to the other agents that work on the same turn\n" +
      "- echoes (built-in): Says it again\n- secrets (built-in, for the entry agent alone): Not for others",
  );
  assert.equal(some, "- echoes (built-in): Says it again");
});
