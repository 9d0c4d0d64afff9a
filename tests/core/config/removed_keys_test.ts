import assert from "node:assert/strict";
import { faultsOf, LEAST } from "./config_on_disk.ts";

const REMOVED: readonly (readonly [string, string])[] = [
  ["[tools]\nx = 1", "1: [tools] is no longer read: name toolsets in an agent's [agents.<name>.tools].available"],
  ["[subagents]\nconcurrent = true", "2: [subagents].concurrent is no longer read: write [assistant].concurrent_tools"],
  ["[subagents.roles.x]\nmodel = 'y'", "1: [subagents] is no longer read: declare each as [agents.<name>]"],
  [
    "[assistant]\nmemory = true",
    '2: [assistant].memory is no longer read: name "memory" or "documents" in [agents.<name>.tools].available',
  ],
  [
    "[assistant]\nload_plugins = []",
    "2: [assistant].load_plugins is no longer read: delete it: installing a toolset is the consent",
  ],
  [
    "[display]\nshow_thinking = true",
    "2: [display].show_thinking is no longer read: delete it: thinking is always shown",
  ],
  ["[security]\nconfirm_tools = []", "2: [security].confirm_tools is no longer read: write [assistant.tools].confirm"],
  [
    "[security.auto_approval]\ntools = []",
    "2: [security.auto_approval].tools is no longer read: write the review lists of [assistant.tools] or [agents.<name>.tools]",
  ],
  [
    "[email]\npassword = 'x'",
    "2: [email].password is no longer read: put the password in the environment as MALAMA_EMAIL_PASSWORD",
  ],
  [
    "[agents.x]\ntools = ['time']",
    "2: [agents.x].tools is no longer read: write [agents.x.tools] with available = [...]",
  ],
];

for (const [text, expected] of REMOVED) {
  Deno.test(`a removed key is told once, with what replaces it: ${text.replaceAll("\n", " ")} (K-020)`, async () => {
    assert.deepEqual(await faultsOf(`${text}\n${LEAST}`), [expected]);
  });
}

for (const key of ["groups", "tool_packs", "mcp_servers"]) {
  Deno.test(`an agent's ${key} is refused with the list that replaced it (K-020)`, async () => {
    const [fault, ...more] = await faultsOf(`[agents.assistant]\n${key} = []\n`);
    assert.match(fault!, new RegExp(`^2: \\[agents\\.assistant\\]\\.${key} is no longer read: .*available`));
    assert.deepEqual(more, []);
  });
}

Deno.test("removed keys do not hide the other faults of the file", async () => {
  const faults = await faultsOf(`[tools]\nx = 1\n[web]\nport = "x"\n${LEAST}`);
  assert.deepEqual(faults.map((fault) => fault.split(" ")[1]), ["[tools]", "[web].port"]);
});
