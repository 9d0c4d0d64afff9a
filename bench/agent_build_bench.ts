/** Building an agent for a turn: 40 tools and what a log of 2,000 entries says was loaded; and how large its tools are. */
import { buildAgent, foldLoaded } from "../core/agent/mod.ts";
import { EXAMPLE_CONFIG, loadConfig } from "../core/config/mod.ts";
import { registryOf } from "../core/declared.ts";
import { type Entry, foldContext } from "../core/log/mod.ts";
import { scriptedModel } from "../core/model/mod.ts";
import { defineToolset, Services, tool } from "../core/tool/mod.ts";
import { toolsAndModels, toolsetSettings } from "../cli/startup.ts";
import { core } from "../toolsets/core.ts";
import { builtInToolsets } from "../toolsets/mod.ts";
import { z } from "zod";
import { type Bench, type Figure, median, spread } from "./figure.ts";

const RUNS = 200;
const WARM_UP = 40;

/** Ten toolsets of four tools, with the arguments tools usually have. */
const forty = Array.from({ length: 10 }, (_, set) =>
  defineToolset({
    name: `set${set}`,
    description: "Four tools",
    guidance: "Use them well.",
    tools: () =>
      Array.from({ length: 4 }, (_, n) =>
        tool({
          name: `set${set}_tool${n}`,
          description: "Does one thing, and says what came of it in a sentence or two.",
          input: z.object({ path: z.string().describe("Which one"), limit: z.int().min(1).max(200).default(30) }),
          run: () => "",
        })),
  }));

/** Turns of a question, two calls and an answer, until there are so many entries. */
function logOf(length: number): readonly Entry[] {
  const entry = (seq: number, kind: string, data: unknown) =>
    ({
      conversation: "C",
      seq,
      turn: `T${Math.floor(seq / 5)}`,
      run: null,
      parent_run: null,
      kind,
      state: "done",
      at: "",
      data,
    }) as Entry;
  const call = {
    toolset: "core",
    name: "load_tools",
    status: "done",
    arguments: { name: "set9" },
    result: "Loaded 'set9': x",
  };
  const shapes: readonly ((seq: number) => Entry)[] = [
    (seq) => entry(seq, "user", { text: "Question", images: [], from: "person" }),
    (seq) => entry(seq, "tool", { ...call, call: `${seq}` }),
    (seq) => entry(seq, "tool", { ...call, name: "set1_tool1", toolset: "set1", call: `${seq}` }),
    (seq) => entry(seq, "round", { kind: "plain", model: "m", request_bytes: 0, ms: 1, stop_reason: "" }),
    (seq) => entry(seq, "text", { text: "An answer of some length. ".repeat(8) }),
  ];
  return Array.from({ length }, (_, seq) => shapes[seq % shapes.length]!(seq));
}

export const bench: Bench = {
  about: "building an agent for a turn, and the size of its tools",
  async measure() {
    return [await buildTime(), ...await toolSizes()];
  },
};

async function buildTime(): Promise<Figure> {
  const config = await configOf(
    `[agents.assistant]\n[agents.assistant.tools]\navailable = "all"\nresident = ["set0"]\n`,
    forty,
  );
  const registry = registryOf([core, ...forty]);
  const entries = logOf(2000);
  const source = { config, registry, now: () => new Date(), services: new Services() };
  const model = scriptedModel([]);
  const times: number[] = [];
  for (let run = 0; run < RUNS + WARM_UP; run++) {
    const began = performance.now();
    const loaded = foldLoaded(entries);
    foldContext(entries);
    const { toolbox } = buildAgent(source, "assistant", model, { loaded });
    for (const { name } of forty) toolbox.load(name);
    times.push(performance.now() - began);
    if (toolbox.tools.length < 40) throw new Error("It does not hold 40 tools");
  }
  const warm = times.slice(WARM_UP);
  return {
    name: "an agent with 40 tools and a log of 2,000 entries",
    value: median(warm),
    unit: "ms",
    aim: 5,
    note: `its context and what it loaded folded from the entries; ${spread(warm)}`,
  };
}

/** The shipped entry agent's tools as JSON, as they are sent, and with everything in hand. */
async function toolSizes(): Promise<readonly Figure[]> {
  const registry = registryOf(builtInToolsets);
  const size = async (text: string) => {
    const source = {
      config: await configOf(text, builtInToolsets),
      registry,
      now: () => new Date(),
      services: new Services(),
    };
    const { tools } = buildAgent(source, "assistant", scriptedModel([]));
    return { bytes: JSON.stringify(tools.map((held) => held.tool.spec)).length, count: tools.length };
  };
  const shipped = await size(EXAMPLE_CONFIG);
  const whole = await size(EXAMPLE_CONFIG.replace(/^resident = .*$/m, ""));
  const saved = Math.round((1 - shipped.bytes / whole.bytes) * 100);
  return [
    {
      name: "tools of the shipped entry agent, as it begins",
      value: shipped.bytes / 1000,
      unit: "kB",
      aim: null,
      note: `${shipped.count} tools; ${saved} % less than with all in hand`,
    },
    {
      name: "the same with all in hand",
      value: whole.bytes / 1000,
      unit: "kB",
      aim: null,
      note: `${whole.count} tools`,
    },
  ];
}

async function configOf(text: string, toolsets: typeof builtInToolsets) {
  const root = await Deno.makeTempDir();
  const file = `${root}/config.toml`;
  try {
    await Deno.writeTextFile(file, text);
    const checks = toolsets === builtInToolsets ? [toolsAndModels] : [];
    return await loadConfig({ file, root, flags: {}, toolsets: toolsetSettings(), checks });
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}
