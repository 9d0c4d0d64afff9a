import assert from "node:assert/strict";
import {
  createModelClient,
  type ModelEvent,
  type ModelMessage,
  type ModelRequest,
  tourOpenings,
} from "../../../../core/model/mod.ts";
import { tour } from "../../../../core/model/demo/tour.ts";
import type { PlayedCall } from "../../../../core/model/demo/playback.ts";
import { builtInToolsets } from "../../../../toolsets/mod.ts";
import { callContext, toolsetContext } from "../../../toolsets/toolset_fixture.ts";

const NOW = new Date("2026-11-30T20:15:04Z");
const TOOLS = builtInToolsets.flatMap((toolset) => toolset.tools(toolsetContext(toolset, { now: () => NOW })));
const SPECS = TOOLS.map((tool) => tool.spec);
const CONTEXT = callContext();

/** What a real loop would see: the tour, driven to its answer over the real tools. */
interface Told {
  readonly text: string;
  /** The calls of each round, with what they gave. */
  readonly rounds: readonly (readonly (PlayedCall & { readonly result: string })[])[];
  readonly thinking: string;
}

class Talk {
  readonly messages: ModelMessage[] = [];
  constructor(readonly request: Partial<ModelRequest> = {}) {}

  async say(question: string): Promise<Told> {
    this.messages.push({ role: "user", text: question });
    const rounds: (PlayedCall & { result: string })[][] = [];
    const thoughts: string[] = [];
    for (let round = 0; round < 8; round++) {
      const { parts } = tour({ system: "", tools: SPECS, messages: this.messages, ...this.request });
      const calls = parts.flatMap((part) => part.type === "calls" ? part.calls : []);
      const text = parts.map((part) => part.type === "text" ? part.text : "").join("");
      thoughts.push(parts.map((part) => part.type === "thinking" ? part.text : "").join(""));
      const made = calls.map((call, index) => ({ ...call, call: `${this.messages.length}_${index}` }));
      this.messages.push({
        role: "assistant",
        parts: [
          ...(text === "" ? [] : [{ type: "text", text } as const]),
          ...made.map((call) => ({ type: "tool_call", ...call }) as const),
        ],
      });
      if (made.length === 0) return { text, rounds, thinking: thoughts.join("") };
      rounds.push(await Promise.all(made.map(async (call) => ({ ...call, result: await run(call) }))));
      for (const { call, name, result } of rounds.at(-1) ?? []) {
        this.messages.push({ role: "tool", call: call ?? "", name, result });
      }
    }
    throw new Error("The tour did not come to an end");
  }
}

async function run(call: PlayedCall): Promise<string> {
  const tool = TOOLS.find((each) => each.spec.name === call.name);
  assert.ok(tool, call.name);
  const checked = tool.check(call.arguments);
  assert.ok(checked.ok, `${call.name} took ${JSON.stringify(call.arguments)}`);
  return String(await tool.run(checked.value, CONTEXT));
}

const ask = async (question: string) => await new Talk().say(question);
const calls = (told: Told) => told.rounds.map((round) => round.map(({ name, arguments: input }) => ({ name, input })));

Deno.test("the tour thinks in plain words, since a thought is shown as it was written", async () => {
  const tools = (await ask("What time is it in Tokyo?")).thinking;
  assert.match(tools, /^This is something get_current_date_and_time can answer\./);
  const steps = (await ask("What is 2^10 and then add 24 to that")).thinking;
  for (const thinking of [tools, steps, (await ask("What is 1+1, and also 2+2")).thinking]) {
    assert.doesNotMatch(thinking, /[`*]/);
  }
});

Deno.test("the tour calls the clock for a place and says the time there", async () => {
  const told = await ask("What time is it in Tokyo?");
  assert.deepEqual(calls(told), [[{ name: "get_current_date_and_time", input: { timezone: "Asia/Tokyo" } }]]);
  assert.match(told.text, /In Tokyo it is \*\*05:15\*\* on Tuesday.*1 December 2026/);
});

Deno.test("the tour makes two calls side by side for two requests, and shows both answers", async () => {
  const told = await ask("What is 2^64, and also what day is it in Auckland?");
  assert.deepEqual(calls(told), [[
    { name: "calculate", input: { expression: "2^64" } },
    { name: "get_current_date_and_time", input: { timezone: "Pacific/Auckland" } },
  ]]);
  assert.match(told.text, /18,446,744,073,709,551,616/);
  assert.match(told.text, /In Auckland it is \*\*09:15\*\*/);
});

Deno.test("the tour takes steps one after the other, each going on from the last result", async () => {
  const told = await ask("What is 2^10 and then add 24 to that, then divide it by 8");
  assert.deepEqual(calls(told).flat().map((call) => call.input), [
    { expression: "2^10" },
    { expression: "1024 + 24" },
    { expression: "1048 / 8" },
  ]);
  assert.equal(told.rounds.length, 3);
  assert.match(told.text, /1\. .*1,024.*\n2\. .*1,048.*\n3\. .*131/);
});

Deno.test("the tour answers what it can and names the rest", async () => {
  const told = await ask("What is 3+4 and then write a poem");
  assert.match(told.text, /\*\*7\*\*/);
  assert.match(told.text, /For “write a poem” I have no rule/);
});

Deno.test("the tour passes on a place nobody knows, so that the tool can say what would be right", async () => {
  const told = await ask("What time is it in Kona?");
  assert.deepEqual(calls(told), [[{ name: "get_current_date_and_time", input: { timezone: "Kona" } }]]);
  assert.match(told.text, /There is no time zone "Kona"/);
});

const DIRECT: readonly (readonly [string, RegExp])[] = [
  ["What can you do here?", /demonstration model.*not a language model.*`calculate`/s],
  ["help", /demonstration model/],
  ["who are you?", /demonstration model/],
  ["Show me a table, some code and a formula", /\$\$.*\| Years \|.*```ts/s],
  ["How do I connect a real model?", /ollama pull.*\[assistant\].*ANTHROPIC_API_KEY/s],
  ["how can I use Ollama?", /ollama pull/],
  ["Hello", /^Hello\. I am Malama's demonstration model/],
  ["thanks a lot", /welcome/],
  ["Write a poem about pears", /“Write a poem about pears” is beyond me/],
  ["", /That message is beyond me/],
];

for (const [question, answer] of DIRECT) {
  Deno.test(`the tour answers ${JSON.stringify(question)} without a tool`, async () => {
    const told = await ask(question);
    assert.deepEqual(told.rounds, []);
    assert.match(told.text, answer);
  });
}

Deno.test("the tour remembers the conversation: the first message, a name, a fact", async () => {
  const talk = new Talk();
  await talk.say("What is 1+1?");
  assert.match((await talk.say("My name is Robin")).text, /Noted, Robin/);
  assert.match((await talk.say("My dogs are called Biscuit and Tea")).text, /your dogs are called Biscuit and Tea/);
  assert.match((await talk.say("What is my name?")).text, /Your name is \*\*Robin\*\*/);
  assert.match((await talk.say("What are my dogs called?")).text, /dogs are called \*\*Biscuit and Tea\*\*/);
  assert.match((await talk.say("What was the first thing I said?")).text, /> What is 1\+1\?/);
  assert.match((await talk.say("What did I say so far?")).text, /1\. What is 1\+1\?\n2\. My name is Robin/);
});

Deno.test("the tour says when it was not told what it is asked", async () => {
  assert.match((await ask("What is my name?")).text, /not told me yet/);
  assert.match((await ask("What was my first message?")).text, /this is your first message/);
});

Deno.test("the tour stops at a call that was denied, says so, and calls nothing more", () => {
  const { parts } = tour({
    system: "",
    tools: SPECS,
    messages: [
      { role: "user", text: "What is 2+2 and then what time is it" },
      {
        role: "assistant",
        parts: [{ type: "tool_call", call: "1", name: "calculate", arguments: { expression: "2+2" } }],
      },
      { role: "tool", call: "1", name: "calculate", result: 'The call was denied: "not now"', failed: true },
    ],
  });
  assert.ok(!parts.some((part) => part.type === "calls"));
  const text = parts.map((part) => part.type === "text" ? part.text : "").join("");
  assert.match(text, /You did not allow `calculate`, so I stopped there/);
});

Deno.test("the tour stops at a call that failed, and quotes why", () => {
  const { parts } = tour({
    system: "",
    tools: SPECS,
    messages: [
      { role: "user", text: "What is 2+2?" },
      {
        role: "assistant",
        parts: [{ type: "tool_call", call: "1", name: "calculate", arguments: { expression: "2+2" } }],
      },
      { role: "tool", call: "1", name: "calculate", result: "calculate failed: it fell over", failed: true },
    ],
  });
  const text = parts.map((part) => part.type === "text" ? part.text : "").join("");
  assert.match(text, /> calculate failed: it fell over/);
});

Deno.test("the tour answers from what it has when no more calls are allowed", () => {
  const wrapUp: ModelRequest = {
    system: "",
    tools: SPECS,
    toolChoice: "none",
    messages: [
      { role: "user", text: "What is 2+2 and then what time is it" },
      {
        role: "assistant",
        parts: [{ type: "tool_call", call: "1", name: "calculate", arguments: { expression: "2+2" } }],
      },
      { role: "tool", call: "1", name: "calculate", result: "2+2 = 4" },
      { role: "user", text: "No more tool calls can be made in this turn. Answer now with what you have." },
    ],
  };
  const { parts } = tour(wrapUp);
  assert.ok(!parts.some((part) => part.type === "calls"));
  assert.match(parts.map((part) => part.type === "text" ? part.text : "").join(""), /`2\+2` is \*\*4\*\*/);
});

Deno.test("the tour never calls when it may not, even for a plain request", () => {
  const { parts } = tour({
    system: "",
    tools: SPECS,
    toolChoice: "none",
    messages: [{ role: "user", text: "What is 2+2?" }],
  });
  assert.ok(!parts.some((part) => part.type === "calls"));
});

Deno.test("the tour answers the message it was interrupted by, after what it had found", () => {
  const { parts } = tour({
    system: "",
    tools: SPECS,
    messages: [
      { role: "user", text: "What is 2+2?" },
      {
        role: "assistant",
        parts: [{ type: "tool_call", call: "1", name: "calculate", arguments: { expression: "2+2" } }],
      },
      { role: "tool", call: "1", name: "calculate", result: "2+2 = 4" },
      { role: "user", text: "And what time is it in Paris?" },
    ],
  });
  assert.match(parts.map((part) => part.type === "text" ? part.text : "").join(""), /`2\+2` is \*\*4\*\*/);
  const made = parts.flatMap((part) => part.type === "calls" ? part.calls : []);
  assert.deepEqual(made, [{ name: "get_current_date_and_time", arguments: { timezone: "Europe/Paris" } }]);
});

Deno.test("the tour goes on with the question before a 'go on'", async () => {
  const talk = new Talk();
  await talk.say("What is 6*7?");
  assert.match((await talk.say("Go on from where you stopped.")).text, /\*\*42\*\*/);
});

Deno.test("the tour calls only tools it was given", () => {
  const { parts } = tour({ system: "", tools: [], messages: [{ role: "user", text: "What time is it in Tokyo?" }] });
  assert.ok(!parts.some((part) => part.type === "calls"));
});

Deno.test("the tour drives tools it has never heard of, by their schemas", () => {
  const tool = (name: string, description: string, properties: Record<string, unknown>, required: string[]) => ({
    name,
    description,
    input: { type: "object", properties, required },
  });
  const tools = [
    tool("remember", "Keeps a fact.", { fact: { type: "string" } }, ["fact"]),
    tool("search_memory", "Searches what was kept.", { query: { type: "string" } }, ["query"]),
    tool("read_file", "Reads a file.", { path: { type: "string" } }, ["path"]),
    tool("set_volume", "Sets the loudness.", { level: { type: "integer" } }, ["level"]),
    tool("set_lights", "Switches lights.", { mode: { enum: ["off", "dim", "bright"] } }, ["mode"]),
  ];
  const callsFor = (text: string) =>
    tour({ system: "", tools, messages: [{ role: "user", text }] }).parts
      .flatMap((part) => part.type === "calls" ? part.calls : []);
  assert.deepEqual(callsFor("Remember that my dog is called Biscuit"), [
    { name: "remember", arguments: { fact: "my dog is called Biscuit" } },
  ]);
  assert.deepEqual(callsFor("search my memory for dog"), [{ name: "search_memory", arguments: { query: "dog" } }]);
  assert.deepEqual(callsFor("read the file notes/a.md and also set the volume to 7"), [
    { name: "read_file", arguments: { path: "notes/a.md" } },
    { name: "set_volume", arguments: { level: 7 } },
  ]);
  assert.deepEqual(callsFor("set the lights to dim"), [{ name: "set_lights", arguments: { mode: "dim" } }]);
  assert.deepEqual(callsFor("set the lights to purple"), []);
});

Deno.test("the tour gives the same answer to the same request", () => {
  for (const text of ["What is 2^64?", "hello", "poem", "What can you do here?"]) {
    const request: ModelRequest = { system: "", tools: SPECS, messages: [{ role: "user", text }] };
    assert.deepEqual(tour(request), tour(request));
  }
});

Deno.test("the tour thinks aloud unless it is asked not to", async () => {
  assert.notEqual((await ask("What is 2+2?")).thinking, "");
  assert.equal((await new Talk({ thinking: false }).say("What is 2+2?")).thinking, "");
});

Deno.test("every opening is understood: it uses its tools, or has a prepared answer", async () => {
  for (const { say, shows } of tourOpenings(SPECS)) {
    const told = await ask(say);
    assert.doesNotMatch(told.text, /beyond me/, say);
    assert.equal(told.rounds.flat().length, shows === "two calls at once" ? 2 : shows === "a tool call" ? 1 : 0, say);
  }
});

Deno.test("no answer of the tour shouts, and none holds an emoji", async () => {
  const questions = [
    "What can you do here?",
    "hello",
    "poem",
    "How do I connect a real model?",
    "my name is Al",
    "thanks",
  ];
  for (const question of [...questions, ...tourOpenings(SPECS).map((opening) => opening.say)]) {
    const { text, thinking } = await ask(question);
    const prose = text.replace(/```.*?```/gs, "");
    assert.doesNotMatch(prose + thinking, /!(?!\[)|\p{Extended_Pictographic}/u, question);
  }
});

Deno.test("demo:tour titles a conversation by its opening words (K-065)", () => {
  const { parts } = tour({
    system: "Write a title of at most six words for this conversation",
    tools: [],
    messages: [{ role: "user", text: "What time is it in Tokyo, and how long do pears keep?" }],
  });
  assert.deepEqual(parts, [{ type: "text", text: "What time is it in Tokyo" }]);
});

Deno.test("demo:tour as a client streams word by word and can be stopped", async () => {
  const model = createModelClient("demo:tour;tps=0", { env: () => undefined });
  const request: ModelRequest = { system: "", tools: SPECS, messages: [{ role: "user", text: "What is 2+2?" }] };
  const events = await Array.fromAsync<ModelEvent>(model.stream(request, new AbortController().signal));
  assert.deepEqual([...new Set(events.map((event) => event.type))], [
    "request",
    "thinking",
    "tool_start",
    "tool_arguments",
    "tool_call",
    "usage",
    "stop",
  ]);
  const stop = new AbortController();
  await assert.rejects(async () => {
    for await (const event of model.stream(request, stop.signal)) {
      if (event.type === "thinking") stop.abort(new Error("stopped"));
    }
  }, /stopped/);
});

Deno.test("the tour reads the beginning of a long message, so that no paste makes it slow", () => {
  const pieces = [
    "what first ",
    "(",
    "1+",
    "my x is ",
    "and then ",
    "what is my ",
    "1,",
    "in Tokyo and ",
    "table code ",
  ];
  for (const piece of pieces) {
    const started = performance.now();
    tour({ system: "", tools: SPECS, messages: [{ role: "user", text: piece.repeat(100_000) }] });
    assert.ok(performance.now() - started < 2_000, `${piece}: ${performance.now() - started} ms`);
  }
});
