import assert from "node:assert/strict";
import { loadConfig } from "../../../../core/config/mod.ts";
import { registryOf } from "../../../../core/declared.ts";
import { policyOf, readEntry } from "../../../../core/tool/mod.ts";
import { isGated } from "../../../../core/tool/approval/policy.ts";
import { SHIPPED_ENTRIES, toolNames } from "../../../../core/turn/approvals/start_checks.ts";
import { builtInToolsets } from "../../../../toolsets/mod.ts";
import { ConfigFolder, LEAST } from "../../config/config_on_disk.ts";

async function shipped() {
  await using folder = await ConfigFolder.make();
  await folder.write(LEAST);
  const toolsets = Object.fromEntries(builtInToolsets.map(({ name, settings }) => [name, settings]));
  const config = await loadConfig({ ...folder.source, toolsets });
  const names = toolNames(config, registryOf(builtInToolsets));
  const gated = [...names].flatMap(([toolset, tools]) =>
    tools.filter((tool) => isGated(policyOf(config, "assistant"), toolset, tool)).map((tool) => `${toolset}.${tool}`)
  );
  return { names, gated };
}

Deno.test("the shipped gates all name tools that exist, of the toolsets that are there (K-188)", async () => {
  const { names } = await shipped();
  for (const text of SHIPPED_ENTRIES) {
    const entry = readEntry(text);
    assert.ok(typeof entry !== "string", text);
    const tools = names.get(entry.toolset);
    // Python's tool is there where Python is.
    if (tools === undefined || entry.tool === "execute_python") continue;
    assert.ok(tools.length > 0 && (entry.tool === null || tools.includes(entry.tool)), text);
  }
});

Deno.test("what runs code, runs commands or writes files asks as shipped; reads and arithmetic do not (K-188)", async () => {
  const { names, gated } = await shipped();
  const asks = new Set(gated.map((name) => name.split(".")[0]));
  for (const toolset of asks) {
    assert.ok(["compute", "fs_write", "config", "mcp", "skills"].includes(toolset ?? ""), toolset);
  }
  assert.ok(names.get("compute")?.includes("calculate") && !gated.includes("compute.calculate"));
  assert.ok(gated.includes("compute.run_command") && gated.includes("compute.execute_typescript"), gated.join(", "));
  for (const tool of names.get("fs_write") ?? []) assert.ok(gated.includes(`fs_write.${tool}`), tool);
});
