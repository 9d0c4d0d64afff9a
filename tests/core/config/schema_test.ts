import assert from "node:assert/strict";
import { z } from "zod";
import { buildSchema, ruleFor } from "../../../core/config/schema.ts";
import { SECTIONS } from "../../../core/config/sections/mod.ts";
import { configOf, errorOf, faultsOf, LEAST } from "./config_on_disk.ts";

const weather = z.strictObject({
  units: z.enum(["metric", "imperial"]).default("metric").describe("How much is told in which measure"),
  days: z.int().min(1).max(7).optional(),
});

Deno.test("buildSchema() names a toolset's section after the toolset (K-023)", () => {
  const schema = buildSchema({ weather });
  const found = ruleFor(schema, ["weather", "units"]);
  assert.equal(found?.section.name, "weather");
  assert.equal(found?.key.meaning, "How much is told in which measure");
});

Deno.test("buildSchema() adds nothing for a toolset without settings, even one named like a section of the core", () => {
  const schema = buildSchema({ web: z.strictObject({}), time: z.strictObject({}) });
  assert.deepEqual(schema.faults, []);
  assert.equal(schema.sections.length, SECTIONS.length);
});

for (const name of ["web", "assistant", "agents", "toolsets", "reviewers"]) {
  Deno.test(`buildSchema() refuses settings of a toolset named ${name}, which is a section of the core (K-023)`, () => {
    assert.match(buildSchema({ [name]: weather }).faults.join(), new RegExp(`\\[${name}\\] is a section of Malama`));
  });
}

Deno.test("buildSchema() refuses settings of a toolset with a dot in its name (K-023)", () => {
  assert.match(buildSchema({ "a.b": weather }).faults.join(), /a dot parts sections/);
});

Deno.test("a faulty toolset stops the start with the other faults", async () => {
  const faults = await faultsOf("[agents.assistant]\nfoo = 1\n", { toolsets: { web: weather } });
  assert.equal(faults.length, 2);
});

Deno.test("a toolset may add keys to the section Malama keeps for it", async () => {
  const planner = z.strictObject({ style: z.string().default("brief") });
  const config = await configOf(`${LEAST}[planning]\nstyle = "long"\nreview_rounds = 5\n`, {
    toolsets: { planning: planner },
  });
  assert.deepEqual(config.toolsets.planning, {
    plan_review: false,
    plan_review_agent: false,
    result_review: false,
    show_reasoning: false,
    review_rounds: 5,
    style: "long",
  });
});

Deno.test("[scheduling] holds keys and task tables side by side (K-025)", async () => {
  const text = `${LEAST}
[scheduling]
max_task_conversations = 5
[scheduling.task.a]
prompt = "x"
schedule = { type = "daily", at = "07:30" }
`;
  const config = await configOf(text, {
    toolsets: { scheduling: z.strictObject({ quiet: z.boolean().default(false) }) },
  });
  assert.deepEqual(config.toolsets.scheduling, { max_task_conversations: 5, quiet: false });
  assert.deepEqual(Object.keys((config.sections.scheduling as { task: object }).task), ["a"]);
});

Deno.test("a toolset's settings are checked and filled in by its own schema (K-015)", async () => {
  const config = await configOf(`${LEAST}[weather]\ndays = 3\n`, { toolsets: { weather, time: z.strictObject({}) } });
  assert.deepEqual(config.toolsets.weather, { days: 3, units: "metric" });
  assert.deepEqual(config.toolsets.time, {});
  assert.deepEqual(await faultsOf(`${LEAST}[weather]\ndays = 9\nunit = "metric"\n`, { toolsets: { weather } }), [
    "3: [weather].days must be an integer from 1 to 7, not 9",
    '4: Unknown key [weather].unit: did you mean "units"? [weather] accepts units, days',
  ]);
});

Deno.test("the section of a toolset that is not installed is unknown", async () => {
  assert.match((await errorOf(`${LEAST}[weather]\ndays = 3\n`)).message, /Unknown section \[weather\]/);
});

Deno.test("the section of a third party's toolset that is declared but not loaded is taken as it is", async () => {
  const config = await configOf(`${LEAST}[toolsets.weather]\nfrom = "./weather"\n[weather]\nanything = { goes = 1 }\n`);
  assert.deepEqual(JSON.parse(JSON.stringify(config.toolsets.weather)), { anything: { goes: 1 } });
});

Deno.test("settings nobody reads are warned about, not refused (K-021)", async () => {
  const text = "[agents.assistant]\n[weather]\ndays = 3\n";
  const { warnings } = await configOf(text, { toolsets: { weather } });
  assert.deepEqual(warnings, ['Nobody reads [weather]: no agent has the toolset "weather" in its available list']);
  for (const available of ['["weather"]', '"all"']) {
    const read = await configOf(`${text}[agents.assistant.tools]\navailable = ${available}\n`, {
      toolsets: { weather },
    });
    assert.deepEqual(read.warnings, []);
  }
});

Deno.test("ruleFor() knows settings with made-up names and no others", () => {
  const schema = buildSchema();
  const known = [["web", "port"], ["agents", "x", "tools", "resident"], ["prices", "a:b"], ["mcp", "server", "url"]];
  for (const path of known) assert.ok(ruleFor(schema, path), path.join("."));
  for (const path of [[], ["web"], ["web", "prot"], ["agents", "x"], ["constructor", "x"], ["web", "toString"]]) {
    assert.equal(ruleFor(schema, path), undefined, path.join("."));
  }
});
