import assert from "node:assert/strict";
import fc from "fast-check";
import { LOCK_LIST, lockFor, patternFault } from "../../../core/config/locks.ts";
import { buildSchema } from "../../../core/config/schema.ts";
import { DEFAULT_LOCKS } from "../../../core/config/sections/mod.ts";
import { joinSettingName } from "../../../core/config/setting_name.ts";
import { configOf, faultsOf, LEAST } from "./config_on_disk.ts";

const schema = buildSchema();

const MATCHES: readonly (readonly [string, string, boolean])[] = [
  ["web.port", "*", true],
  ["web.port", "web.*", true],
  ["web.port", "web.port", true],
  ["web.host", "web.port", false],
  ["agents.coder.tools.available", "agents.*", true],
  ["agents.coder.tools.available", "agents.coder.*", true],
  ["agents.coder.tools.available", "agents.coder.tools.available", true],
  ["agents.coder.tools.available", "agents.coder.available", false],
  ["agents.coder.model", "agents.coder.tools.*", false],
  ["assistant.model", "assistant.tools.*", false],
  ["assistant.tools.confirm", "assistant.tools.*", true],
  ["webcam.port", "web.*", false],
  ["Web.port", "web.*", false],
  ['prices."openai:gpt-4.1"', "prices.*", true],
  ['prices."openai:gpt-4.1"', 'prices."openai:gpt-4.1"', true],
];

for (const [setting, pattern, locked] of MATCHES) {
  Deno.test(`lockFor() says that "${pattern}" ${locked ? "locks" : "leaves"} ${setting} (K-030)`, () => {
    assert.equal(lockFor(setting, [pattern]), locked ? pattern : null);
  });
}

Deno.test("lockFor() answers the lock list by itself, whatever the patterns are (K-033)", () => {
  for (const patterns of [[], ["*"], ["web.*"]]) assert.equal(lockFor(LOCK_LIST, patterns), LOCK_LIST);
  assert.equal(lockFor('security."locked_config_keys"', []), LOCK_LIST, "quotes are no way around it");
});

Deno.test("lockFor() leaves everything else open when the list is emptied (K-033)", () => {
  assert.equal(lockFor("security.approval_timeout", []), null);
  assert.equal(lockFor("agents.x.model", []), null);
});

Deno.test("lockFor() gives the first pattern that matches", () => {
  assert.equal(lockFor("web.port", ["paths.*", "web.port", "*"]), "web.port");
});

Deno.test("lockFor() finds every setting locked by its own name, its section and everything", () => {
  const path = fc.array(fc.string({ minLength: 1, maxLength: 8 }), { minLength: 2, maxLength: 4 });
  fc.assert(fc.property(path, (parts) => {
    fc.pre(parts.at(-1) !== "*");
    const name = joinSettingName(parts);
    for (const pattern of ["*", `${joinSettingName(parts.slice(0, -1))}.*`, name]) {
      assert.notEqual(lockFor(name, [pattern]), null, pattern);
    }
  }));
});

const FAULTS: readonly (readonly [string, RegExp])[] = [
  ["", /has an empty pattern/],
  [" web.*", /begins or ends with a space/],
  ["web.* ", /begins or ends with a space/],
  ["web", /no dot: write "web\.\*"/],
  ["web..port", /empty part/],
  [".port", /empty part/],
  ["web.", /empty part/],
  ["we*.port", /"\*" stands beside other letters/],
  ["web.p*", /"\*" stands beside other letters/],
  ["*.port", /not the last part/],
  ["agents.*.model", /not the last part/],
  ["**", /no dot|beside/],
  ["nowhere.*", /names no section: there is no \[nowhere\]/],
  ["Web.port", /names no section: there is no \[Web\]/],
  ["web.tls.port", /there is no \[web\.tls\]/],
  ["web.prot", /names no key: \[web\] has host, port/],
  ["agents.made_up.modle", /names no key: \[agents\.made_up\] has description/],
];

for (const [pattern, message] of FAULTS) {
  Deno.test(`patternFault() refuses ${JSON.stringify(pattern)} (K-031, K-032)`, () => {
    assert.match(patternFault(pattern, schema) ?? "accepted", message);
  });
}

Deno.test("patternFault() accepts the shipped patterns and names people make up (K-032)", () => {
  const good = [
    "*",
    "agents.made_up.*",
    "agents.made_up.model",
    "scheduling.task.x.prompt",
    'prices."a:b"',
    "toolsets.*",
  ];
  for (const pattern of [...DEFAULT_LOCKS, ...good]) assert.equal(patternFault(pattern, schema), null, pattern);
});

Deno.test("patternFault() knows the sections of toolsets, also of those that are not loaded", () => {
  assert.equal(patternFault("weather.units", schema, new Set(["weather"])), null);
  assert.match(patternFault("weather.units", schema) ?? "", /no section/);
});

Deno.test("a bad pattern stops the start and is named (K-031)", async () => {
  assert.deepEqual(await faultsOf(`${LEAST}[security]\nlocked_config_keys = ["web.*", "web"]\n`), [
    '3: [security].locked_config_keys has "web", which has no dot: write "web.*" for the whole section',
  ]);
});

Deno.test("the shipped locks cover grants, approvals, agents and where things go", async () => {
  const { security } = await configOf(LEAST);
  const locked = [
    "security.approval_timeout",
    "assistant.tools.confirm",
    "agents.assistant.tools.available",
    "toolsets.weather.permissions.net",
    "mcp.server.command",
    "scheduling.task.x.prompt",
    "paths.data_dir",
    "email.to",
    "web.auth",
  ];
  for (const name of locked) assert.notEqual(lockFor(name, security.lockedConfigKeys), null, name);
  for (const name of ["assistant.model", "assistant.max_iterations", "web.port", "email.host"]) {
    assert.equal(lockFor(name, security.lockedConfigKeys), null, name);
  }
});
