import assert from "node:assert/strict";
import { createEgress } from "../../core/egress/mod.ts";
import { DEFAULT_CONFIRM } from "../../core/config/sections/assistant.ts";
import { createMedia, MEDIA, MEDIA_KINDS, mediaVariable } from "../../core/media/mod.ts";
import { Services } from "../../core/tool/mod.ts";
import { builtInToolsets } from "../../toolsets/mod.ts";
import { someAgent, toolsetContext } from "./toolset_fixture.ts";

const page = await Deno.readTextFile(new URL("../../docs/toolsets.md", import.meta.url));

/** The names in a cell of the table. */
const named = (cell = "") => [...cell.matchAll(/`([\w.]+)`/g)].map(([, name = ""]) => name);

/** The rows of the first table, by the toolset's name. */
const rows = new Map(
  page.split("\n").filter((line) => /^\| `\w+` /.test(line)).slice(0, builtInToolsets.length).map((line) => {
    const [, name, tools, , gated] = line.split("|");
    return [named(name)[0] ?? "", { tools: named(tools), gated: named(gated) }];
  }),
);

const env = (name: string) =>
  MEDIA_KINDS.some((kind) => mediaVariable(kind) === name) ? "openai-compat:x@http://localhost:1/v1" : undefined;
const media = createMedia({ egress: () => createEgress({ allow: [] }), env });
const context = {
  services: new Services().provide(MEDIA, () => media),
  agent: {
    ...someAgent,
    delegates: [{ name: "x", about: "" }],
    loadable: [{ name: "y", description: "" }],
    depth: 1,
  },
};

Deno.test("docs/toolsets.md names every shipped toolset with exactly its tools", () => {
  assert.deepEqual([...rows.keys()], builtInToolsets.map(({ name }) => name));
  for (const toolset of builtInToolsets) {
    const tools = toolset.tools(toolsetContext(toolset, context)).map(({ spec }) => spec.name);
    const python = "execute_python";
    const told = rows.get(toolset.name)?.tools.filter((name) => name !== python);
    assert.deepEqual(told, tools.filter((name) => name !== python), toolset.name);
  }
});

Deno.test("docs/toolsets.md says of exactly those calls that they ask first which do as shipped (K section 6.2)", () => {
  for (const [toolset, { tools, gated }] of rows) {
    const wanted = tools.filter((name) =>
      DEFAULT_CONFIRM.some((entry) => entry === toolset || entry === `${toolset}.*` || entry === `${toolset}.${name}`)
    );
    assert.deepEqual(gated, wanted, toolset);
  }
});
