import assert from "node:assert/strict";
import { checkTree, shown } from "../../../core/config/check_tree.ts";
import { buildSchema } from "../../../core/config/schema.ts";
import { parseToml } from "../../../core/config/toml.ts";
import { configOf, errorOf, faultsOf, LEAST } from "./config_on_disk.ts";

/** What each text is refused with; the line counts from the text itself. */
const FAULTS: readonly (readonly [string, string, readonly string[]])[] = [
  ["an unknown key, with the one that was meant", "[web]\nprot = 1", [
    '2: Unknown key [web].prot: did you mean "port"? [web] accepts host, port, auth, allowed_hosts, base_path',
  ]],
  ["an unknown key, with every section that has it (K-016)", "[paths]\nport = 1", [
    "2: Unknown key [paths].port: it is a key of [web] and [email]; [paths] accepts data_dir",
  ]],
  ["an unknown key in a sub-table by its dotted section (K-018)", "[assistant.generation]\nheat = 1", [
    "2: Unknown key [assistant.generation].heat; [assistant.generation] accepts temperature, top_p, top_k, min_p, " +
    "presence_penalty, repetition_penalty, max_tokens, context_length",
  ]],
  ["a key after the sub-table it does not belong to", '[assistant.generation]\nmodel = "x"', [
    "2: Unknown key [assistant.generation].model: it is a key of [assistant] and [agents.<name>] and " +
    "[agents.<name>.compaction] and [reviewers.<name>]; [assistant.generation] accepts temperature, top_p, top_k, min_p, " +
    "presence_penalty, repetition_penalty, max_tokens, context_length",
  ]],
  ["an unknown sub-table", "[web.tls]\nx = 1", [
    "1: Unknown section [web.tls]; [web] accepts host, port, auth, allowed_hosts, base_path",
  ]],
  ["a key outside every section, with where it belongs", "port = 1", [
    '1: The key "port" stands outside a section: put it under [web] or [email]',
  ]],
  ["a key outside every section that no section has", "colour = 1", [
    '1: The key "colour" stands outside a section: every key belongs under a [section]',
  ]],
  ["a section that is a value", "web = 1", ["1: [web] is a section: write it as [web]"]],
  ["a sub-table that is a value", "[assistant]\ntools = 1", [
    "2: [assistant].tools must be a table: write it as [assistant.tools]",
  ]],
  ["a list of tables that is a table", '[mcp.server]\nname = "x"', [
    "1: [mcp].server must be a list of tables: write it as [[mcp.server]]",
  ]],
  ["a string for a number", '[web]\nport = "80"', ['2: [web].port must be an integer from 0 to 65535, not "80"']],
  ["a number out of range", "[web]\nport = 65536", ["2: [web].port must be an integer from 0 to 65535, not 65536"]],
  ["a number too large for a double", "[web]\nport = 99999999999999999999", [
    "2: [web].port must be an integer from 0 to 65535, not 99999999999999999999",
  ]],
  ["a boolean where a number is wanted (K-017)", "[assistant.generation]\ntemperature = true", [
    "2: [assistant.generation].temperature must be a number from 0 to 2, not true",
  ]],
  ["a number where a boolean is wanted", "[assistant]\ngenerate_titles = 1", [
    "2: [assistant].generate_titles must be true or false, not 1",
  ]],
  ["a fraction where an integer is wanted", "[assistant]\nmax_iterations = 1.5", [
    "2: [assistant].max_iterations must be an integer, 1 or more, not 1.5",
  ]],
  ["a repetition penalty of zero", "[assistant.generation]\nrepetition_penalty = 0", [
    "2: [assistant.generation].repetition_penalty must be a number above 0, not 0",
  ]],
  ["nan", "[assistant.generation]\ntemperature = nan", [
    "2: [assistant.generation].temperature must be a number from 0 to 2, not NaN",
  ]],
  ["a date where a string is wanted", "[assistant]\nmodel = 1979-05-27", [
    "2: [assistant].model must be a string, not the date 1979-05-27",
  ]],
  ["a thinking level that does not exist", '[assistant]\nthinking = "xhigh"', [
    '2: [assistant].thinking must be true, false, "low", "medium" or "high", not "xhigh"',
  ]],
  ["a relative data folder", '[paths]\ndata_dir = "data"', [
    '2: [paths].data_dir must be an absolute path, not "data"',
  ]],
  ["a base path that climbs", '[web]\nbase_path = "/m/../x"', [
    '2: [web].base_path must be empty, or start with "/" and not end with it, and hold no steps like "..", not "/m/../x"',
  ]],
  ["a base path with a slash at the end", '[web]\nbase_path = "/m/"', [
    '2: [web].base_path must be empty, or start with "/" and not end with it, and hold no steps like "..", not "/m/"',
  ]],
  ["a storage address of an unknown kind", '[storage]\nurl = "ftp://x"', [
    '2: [storage].url must start with "file:", "http:", "https:" or "libsql:", not "ftp://x"',
  ]],
  ["a time zone that does not exist", '[scheduling]\ntimezone = "Mars/Olympus"', [
    '2: [scheduling].timezone must be a time zone such as "Europe/Berlin" or "UTC", not "Mars/Olympus"',
  ]],
  ["an element of a list", "[web]\nallowed_hosts = [\n  'a',\n  3,\n]", [
    "2: [web].allowed_hosts[1] must be a string, not 3",
  ]],
  ["a task without what it needs", "[scheduling.task.x]\nenabled = true", [
    "1: [scheduling.task.x].prompt is needed: it must be a string",
    "1: [scheduling.task.x].schedule is needed: it must be a table of type, at, seconds, day, expr",
  ]],
  ["a schedule of an unknown kind", '[scheduling.task.x]\nprompt = "x"\nschedule = { type = "dayly", at = "07:30" }', [
    '3: [scheduling.task.x].schedule.type must be "once", "interval", "daily", "weekly" or "cron", not "dayly"',
  ]],
  [
    "a schedule at a time that does not exist",
    '[scheduling.task.x]\nprompt = "x"\nschedule = { type = "daily", at = "24:00" }',
    [
      '3: [scheduling.task.x].schedule.at must be a time such as "07:30", not "24:00"',
    ],
  ],
  [
    "a cron line with too few fields",
    '[scheduling.task.x]\nprompt = "x"\nschedule = { type = "cron", expr = "* * *" }',
    [
      '3: [scheduling.task.x].schedule.expr must have five fields: minute, hour, day, month, weekday, not "* * *"',
    ],
  ],
  ["a server with an address and a command", '[[mcp.server]]\nname = "x"\nurl = "https://a.b"\ncommand = "c"', [
    "1: [[mcp.server]] number 1 needs exactly one of url and command",
  ]],
  ["a server with an address that is none", '[[mcp.server]]\nname = "x"\nurl = "a.b"', [
    '3: [[mcp.server]] number 1.url must be an http or https address, not "a.b"',
  ]],
  ["keys that do not go with a server's kind", '[[mcp.server]]\nname = "x"\nurl = "https://a.b"\ncwd = "/"', [
    "4: [[mcp.server]] number 1.cwd does not go with url",
  ]],
  ["a trigger's stray and missing keys", '[[agents.assistant.triggers]]\ntype = "channel"\ninterval = 5', [
    '1: [[agents.assistant.triggers]] number 1.channel is needed with type "channel"',
    '3: [[agents.assistant.triggers]] number 1.interval does not go with type "channel", which takes type, name, prompt, ' +
    "channel, filter_sender, ignore_sender",
  ]],
  [
    "a schedule trigger with two times",
    '[[agents.assistant.triggers]]\ntype = "schedule"\nhourly_at = 5\ndaily_at = "07:30"',
    [
      "1: [[agents.assistant.triggers]] number 1 needs exactly one of every_minutes, daily_at and hourly_at",
    ],
  ],
  ["a price without its output", '[prices]\n"a:b" = { input = 1 }', [
    '2: [prices]."a:b".output is needed: it must be a number',
  ]],
  ["an unknown grant", '[toolsets.x]\nfrom = "./x"\n[toolsets.x.permissions]\nnett = []', [
    '4: Unknown key [toolsets.x.permissions].nett: did you mean "net"? [toolsets.x.permissions] accepts net, read, write, ' +
    "env, run",
  ]],
];

for (const [name, text, expected] of FAULTS) {
  Deno.test(`the file is refused for ${name}`, async () => {
    assert.deepEqual(await faultsOf(`${text}\n${text.includes("agents.assistant") ? "" : LEAST}`), expected);
  });
}

Deno.test("an unknown section is named with the one that was meant and all there are", async () => {
  const { message, section, line } = await errorOf(`${LEAST}[secutiry]\nx = 1\n`);
  assert.match(
    message,
    /:2: Unknown section \[secutiry\]: did you mean \[security\]\? The sections are assistant, agents, web, /,
  );
  assert.equal(section, "secutiry");
  assert.equal(line, 2);
});

Deno.test("every fault of a file is told at once, in the order of its lines", async () => {
  const faults = await faultsOf('[web]\nport = "x"\nprot = 1\n[paths]\ndata_dir = "here"\n');
  assert.deepEqual(faults.map((fault) => fault.split(":")[0]), ["2", "3", "5", "-"]);
});

Deno.test("checkTree() leaves a bad value out and keeps its neighbours", () => {
  const { tree } = checkTree(parseToml('[web]\nport = "x"\nhost = "::1"\n'), buildSchema());
  assert.deepEqual(JSON.parse(JSON.stringify(tree)), { web: { host: "::1" } });
});

Deno.test("no value of a secret key is told in a message (K-318)", async () => {
  const text = `${LEAST}[[mcp.server]]\nname = "x"\ncommand = "c"\nenv = { TOKEN = 12345, OTHER = "sesame" }\n`;
  const { problems, message } = await errorOf(text);
  assert.equal(message.includes("12345") || message.includes("sesame"), false);
  assert.equal(problems[0]?.message, "[[mcp.server]] number 1.env.TOKEN must be a string");
});

Deno.test("an integer is taken where a number is wanted, and a boolean's name for thinking (K-017)", async () => {
  const config = await configOf(`${LEAST}[assistant]\nthinking = "false"\n[assistant.generation]\ntemperature = 1\n`);
  assert.equal(config.assistant.generation.temperature, 1);
  assert.equal(config.assistant.thinking, false);
});

Deno.test("a moment may be written as text or as a date of TOML's", async () => {
  const task = (at: string) => `${LEAST}[scheduling.task.x]\nprompt = "x"\nschedule = { type = "once", at = ${at} }\n`;
  for (const at of ['"2027-01-31T09:00"', "2027-01-31T09:00:00"]) {
    const { sections } = await configOf(task(at));
    const { schedule } = (sections.scheduling as { task: { x: { schedule: { at: string } } } }).task.x;
    assert.equal(schedule.at.slice(0, 16), "2027-01-31T09:00");
  }
});

Deno.test("shown() cuts a long value short", () => {
  assert.equal(shown("x".repeat(100)).length, 58);
  assert.equal(shown(12n), "12");
});
