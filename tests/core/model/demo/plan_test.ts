import assert from "node:assert/strict";
import { matchTool, planSteps } from "../../../../core/model/demo/plan.ts";

const tool = (name: string, description: string, properties: Record<string, unknown> = {}, required?: string[]) => ({
  name,
  description,
  input: { type: "object", properties, required: required ?? Object.keys(properties) },
});
const CLOCK = tool("get_current_date_and_time", "The current date.", { timezone: { type: "string" } }, []);
const SUM = tool("calculate", "Works out a sum.", { expression: { type: "string" } });
const WEATHER = tool("get_weather", "The weather in a city.", { city: { type: "string" } });
const TOOLS = [CLOCK, SUM, WEATHER];

/** The names of each step's calls. */
const steps = (text: string, it?: string) =>
  planSteps(text, TOOLS, it).map((step) => step.calls.map((call) => call.name));

const PLANS: readonly (readonly [string, readonly (readonly string[])[]])[] = [
  ["what time is it", [["get_current_date_and_time"]]],
  ["What's the date today?", [["get_current_date_and_time"]]],
  ["weather in Hilo", [["get_weather"]]],
  ["weather in Hilo and then 2+2", [["get_weather"], ["calculate"]]],
  ["2+2, then 3+3, then the time", [["calculate"], ["calculate"], ["get_current_date_and_time"]]],
  ["2+2 and also 3+3 and also the time", [["calculate", "calculate", "get_current_date_and_time"]]],
  ["2+2 and 3+3", [["calculate", "calculate"]]],
  ["What is 2+2? What time is it?", [["calculate", "get_current_date_and_time"]]],
  ["2+2 and also 2+2", [["calculate"]]],
  ["the weather in Hilo as well as 2+2", [["get_weather", "calculate"]]],
  ["tell me a story", []],
  ["", []],
  ["and then and then", []],
];

for (const [text, expected] of PLANS) {
  Deno.test(`planSteps() reads ${JSON.stringify(text)}`, () => assert.deepEqual(steps(text), expected));
}

Deno.test("planSteps() names what it has no tool for", () => {
  const [first, second] = planSteps("2+2 and also sing a song, then dance", TOOLS);
  assert.deepEqual([first?.left, second?.left], [["sing a song"], ["dance"]]);
});

Deno.test("planSteps() keeps the number of its steps when the results come in", () => {
  const text = "2^10 and then add 24 to that, then divide it by 8";
  assert.equal(planSteps(text, TOOLS).length, 3);
  const [, second] = planSteps(text, TOOLS, "1024");
  assert.deepEqual(second?.calls[0]?.arguments, { expression: "1024 + 24" });
});

Deno.test("matchTool() wants every required argument, and a word of the name or a sum", () => {
  assert.equal(matchTool("get the weather", TOOLS), undefined);
  assert.equal(matchTool("what is the current situation in works", [SUM]), undefined);
  assert.equal(matchTool("Hilo is a city", TOOLS), undefined);
});

Deno.test("matchTool() takes the tool whose words and arguments fit best, the first of equals", () => {
  const search = tool("search_notes", "Searches notes.", { query: { type: "string" } });
  const web = tool("search_web", "Searches the web.", { query: { type: "string" } });
  assert.equal(matchTool("search the web for pears", [search, web])?.name, "search_web");
  assert.equal(matchTool("search my notes for pears", [search, web])?.name, "search_notes");
  assert.equal(matchTool("search for pears", [search, web])?.name, "search_notes");
});

Deno.test("matchTool() lets a question change nothing: what is remembered is looked for, not stored anew", () => {
  const store = tool("store_memory", "Stores one lasting fact or preference.", { content: { type: "string" } });
  const search = tool("search_memories", "Finds stored facts about a topic.", { query: { type: "string" } });
  assert.deepEqual(matchTool("What do you remember about tea?", [store, search]), {
    name: "search_memories",
    arguments: { query: "tea" },
  });
  assert.deepEqual(matchTool("Remember that I like tea", [store, search]), {
    name: "store_memory",
    arguments: { content: "I like tea" },
  });
  assert.equal(matchTool("Do you remember that I like tea?", [store]), undefined);
});
