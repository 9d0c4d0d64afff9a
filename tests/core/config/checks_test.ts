import assert from "node:assert/strict";
import { agentNameFault, isLoopback } from "../../../core/config/mod.ts";
import { configOf, faultsOf, LEAST } from "./config_on_disk.ts";

const FAULTS: readonly (readonly [string, string, readonly string[]])[] = [
  ["no agent at all", "", ["-: There is no agent: declare one as [agents.assistant]"]],
  ["an entry agent that does not exist", '[assistant]\nagent = "boss"\n[agents.coder]\n', [
    "2: [assistant].agent names no agent: there is no [agents.boss], only coder",
  ]],
  ["an entry agent left at its default while another is declared", "[agents.coder]\n", [
    "-: [assistant].agent names no agent: there is no [agents.assistant], only coder",
  ]],
  ["an entry agent named like something every object has", '[assistant]\nagent = "constructor"\n[agents.coder]\n', [
    "2: [assistant].agent names no agent: there is no [agents.constructor], only coder",
  ]],
  ["a delegate that does not exist", '[agents.assistant]\ndelegates_to = ["coder", "toString"]\n[agents.coder]\n', [
    "2: [agents.assistant].delegates_to names no agent: there is no [agents.toString]",
  ]],
  ["an agent that delegates to itself", '[agents.assistant]\ndelegates_to = ["assistant"]\n', [
    "2: [agents.assistant].delegates_to makes a circle: assistant → assistant",
  ]],
  [
    "a circle of delegation, told once",
    '[agents.assistant]\ndelegates_to = ["c"]\n[agents.c]\ndelegates_to = ["b"]\n[agents.b]\ndelegates_to = ["c"]\n',
    ["6: [agents.b].delegates_to makes a circle: b → c → b"],
  ],
  ["a resident toolset that is not available", '[agents.assistant.tools]\navailable = ["time"]\nresident = ["web"]\n', [
    '3: [agents.assistant.tools].resident names "web", which is not in available: add it there as well',
  ]],
  ["a resident toolset without any available", '[agents.assistant.tools]\nresident = ["web"]\n', [
    '2: [agents.assistant.tools].resident names "web", which is not in available: add it there as well',
  ]],
  ["a reserved agent name", `${LEAST}[agents.user]\n`, [
    '2: [agents.user]: "user" is reserved for messages: name the agent otherwise',
  ]],
  ["an ill-formed agent name", `${LEAST}[agents."a:b"]\n`, [
    '2: [agents."a:b"]: an agent\'s name cannot have ":" or "[" in it: name the agent otherwise',
  ]],
  ["an open door to the network", `${LEAST}[web]\nhost = "0.0.0.0"\nauth = "none"\n`, [
    '4: [web].auth cannot be "none" while host is "0.0.0.0": use "token", or listen on 127.0.0.1',
  ]],
  ["auto-approval without a reviewer", `${LEAST}[security.auto_approval]\nenabled = true\n`, [
    "3: [security.auto_approval].enabled is true, but no reviewer is named: fill reviewers",
  ]],
  ["a reviewer that does not exist", `${LEAST}[security.auto_approval]\nreviewers = ["careful"]\n`, [
    "3: [security.auto_approval].reviewers names no reviewer: there is no [reviewers.careful]",
  ]],
  [
    "a reviewer without a standard that thinks",
    `${LEAST}[security.auto_approval]\nreviewers = ["careful"]\n[reviewers.careful]\nthinking = "low"\nsystem_message = " "\n`,
    [
      "5: [reviewers.careful].thinking cannot be set on an approval reviewer: delete it",
      "6: [reviewers.careful].system_message is needed: an approval reviewer judges by it",
    ],
  ],
  [
    "two servers of one name",
    `${LEAST}[[mcp.server]]\nname = "x"\nurl = "https://a.b"\n[[mcp.server]]\nname = "x"\ncommand = "c"\n`,
    ['6: [[mcp.server]] number 2 is named "x" like an earlier one: name it otherwise'],
  ],
  [
    "creatures that cannot be told apart or stand on nothing",
    `${LEAST}[terrariums.t.root]
agent = "nobody"
[[terrariums.t.creatures]]
name = "root"
[[terrariums.t.creatures]]
name = "x"
agent = "noone"
[[terrariums.t.creatures]]
name = "x"
`,
    [
      "3: [terrariums.t.root].agent names no agent: there is no [agents.nobody]",
      '5: [[terrariums.t.creatures]] number 1.name is "root" like the root\'s: name it otherwise',
      "8: [[terrariums.t.creatures]] number 2.agent names no agent: there is no [agents.noone]",
      '10: [[terrariums.t.creatures]] number 3.name is "x" like an earlier one\'s: name it otherwise',
    ],
  ],
];

for (const [name, text, expected] of FAULTS) {
  Deno.test(`the start is refused for ${name} (K-009)`, async () => assert.deepEqual(await faultsOf(text), expected));
}

const ACCEPTED: readonly (readonly [string, string])[] = [
  [
    "two ways to one delegate",
    '[agents.assistant]\ndelegates_to = ["b", "c"]\n[agents.b]\ndelegates_to = ["c"]\n[agents.c]\n',
  ],
  ["any toolset in hand when all are available", '[agents.assistant.tools]\navailable = "all"\nresident = ["web"]\n'],
  ["no token on the loopback", `${LEAST}[web]\nhost = "::1"\nauth = "none"\n`],
  ["a token on every address", `${LEAST}[web]\nhost = "0.0.0.0"\n`],
  ["a planning critic that thinks", `${LEAST}[reviewers.plan]\nthinking = "high"\n`],
  ["an agent with a name of any letters", '[agents.assistant]\n[agents."Zoë & co."]\n'],
  [
    "a reviewer with a standard",
    `${LEAST}[security.auto_approval]\nenabled = true\nreviewers = ["r"]\n[reviewers.r]\nsystem_message = "Be careful"\n`,
  ],
];

for (const [name, text] of ACCEPTED) {
  Deno.test(`the start accepts ${name}`, async () => assert.ok(await configOf(text)));
}

Deno.test("agentNameFault() says why a word cannot name an agent", () => {
  for (const name of ["", " ", "user", "everyone", "__proto__", "a:b", "a[0]"]) {
    assert.notEqual(agentNameFault(name), null);
  }
  for (const name of ["assistant", "User", "a.b", "*"]) assert.equal(agentNameFault(name), null);
});

Deno.test("isLoopback() knows this machine's own addresses and no others", () => {
  for (const host of ["localhost", "LocalHost", "127.0.0.1", "127.8.9.1", "::1", "[::1]"]) {
    assert.equal(isLoopback(host), true, host);
  }
  for (const host of ["0.0.0.0", "::", "192.168.1.2", "127.0.0.1.example.org", "localhost.example.org", ""]) {
    assert.equal(isLoopback(host), false, host);
  }
});
