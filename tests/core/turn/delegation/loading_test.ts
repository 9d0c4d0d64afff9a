import assert from "node:assert/strict";
import { z } from "zod";
import { defineToolset, tool } from "../../../../core/tool/mod.ts";
import { call, openTeam, resultsOf } from "./team.ts";

const toolset = (name: string, ...tools: string[]) =>
  defineToolset({
    name,
    description: `The ${name}`,
    guidance: `Use ${name} well.`,
    tools: () =>
      tools.map((each) => tool({ name: each, description: each, input: z.object({}), run: () => `${each} ran` })),
  });
const toolsets = [toolset("a", "one"), toolset("b", "two"), toolset("c", "three")];
const names = (request: { readonly tools: readonly { readonly name: string }[] } | undefined) =>
  request?.tools.map(({ name }) => name);
const LOADERS = ["available_tools", "load_tools"];

Deno.test("a loaded tool can be called from the next round on, and each request's tools are a prefix of the next (K-155)", async () => {
  await using team = await openTeam({
    assistant: {
      tools: ["a", "b", "c"],
      resident: ["a"],
      script: [call("load_tools", { name: "c" }, "1"), call("three", {}, "2"), { text: "done" }],
    },
  }, { toolsets });
  await team.say("go");
  const entries = await team.entries();
  assert.deepEqual(resultsOf(entries, "load_tools"), ["Loaded 'c': three.\n\nUse c well."]);
  assert.deepEqual(resultsOf(entries, "three"), ["three ran"]);
  const [first, second, third] = team.model.requests;
  assert.deepEqual(names(first), ["one", ...LOADERS]);
  assert.deepEqual([names(second), names(third)], [["one", ...LOADERS, "three"], ["one", ...LOADERS, "three"]]);
  assert.equal(first?.system, second?.system, "the prompt stays while the turn runs");
});

Deno.test("what was loaded is given back in the next turn, also after a restart and on its branch alone (K-179)", async () => {
  const dataDir = await Deno.makeTempDir({ prefix: "malama-loaded-" });
  const member = {
    tools: ["a", "b", "c"],
    resident: ["a"],
    script: ({ messages }: { readonly messages: readonly { readonly role: string; readonly text?: string }[] }) => {
      const last = messages.at(-1);
      const asked = last?.role === "user" ? /^load (\w+)$/.exec(last.text ?? "")?.[1] : undefined;
      return asked === undefined ? { text: "ok" } : call("load_tools", { name: asked });
    },
  };
  try {
    let conversation = "";
    let first = "";
    {
      await using team = await openTeam({ assistant: member }, { toolsets, dataDir, keep: true });
      conversation = team.conversation;
      first = (await team.say("hello")).id;
      await team.say("load nothing");
      await team.say("load c");
      await team.say("hi");
      assert.deepEqual(names(team.model.requests.at(-1)), ["one", ...LOADERS, "three"], "from memory");
    }
    await using team = await openTeam({ assistant: member }, { toolsets, dataDir, keep: true });
    const say = async (text: string, parent?: string) => {
      const receipt = await team.turns.turns.submit(conversation, { text, ...parent && { parent } });
      assert(receipt.fate === "turn");
      await team.turns.ended(receipt.turn);
      return team.model.requests.at(-1);
    };
    const again = await say("load b");
    assert.deepEqual(names(again), ["one", ...LOADERS, "three", "two"], "from the log, in the order of loading");
    const next = await say("hi");
    assert.match(
      next?.system ?? "",
      /Use b well\.\n\nUse c well\.$/,
      "guidance in the prompt, and nothing left to load",
    );
    assert.deepEqual(names(await say("hi", first)), ["one", ...LOADERS], "another branch never loaded it");
  } finally {
    await Deno.remove(dataDir, { recursive: true });
  }
});

Deno.test("a sub-agent loads for itself alone", async () => {
  await using team = await openTeam({
    assistant: {
      tools: ["a", "b"],
      resident: ["a"],
      delegatesTo: ["coder"],
      script: [call("spawn_subagent", { agent_type: "coder", task: "x" }), { text: "done" }],
    },
    coder: { tools: ["c", "b"], resident: ["c"], script: [call("load_tools", { name: "b" }), call("two")] },
  }, { toolsets });
  await team.say("go");
  await team.say("again");
  assert.deepEqual(resultsOf(await team.entries(), "two"), ["two ran"]);
  assert.deepEqual(names(team.model.requests.at(-1)), ["one", "spawn_subagent", ...LOADERS]);
});
