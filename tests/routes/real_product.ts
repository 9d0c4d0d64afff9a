/**
 * The whole product over the wire, on the demonstration model.
 *
 * @module
 */
import { join } from "node:path";
import { createAssistant } from "../../core/assistant.ts";
import { loadConfig } from "../../core/config/mod.ts";
import { CORE } from "../../core/tool/mod.ts";
import { builtInToolsets } from "../../toolsets/mod.ts";
import { type OperationName, operations } from "../../web/operations.ts";
import { serve } from "../../web/serve.ts";
import { promised } from "./asking.ts";

const CONFIG = `
[assistant]
model = "demo:tour"

[agents.assistant]
description = "The one you talk to"

[agents.assistant.tools]
available = ["time", "compute"]
`;

/** Serves it in a folder of its own. */
export async function withProduct(
  run: (product: {
    url: string;
    headers: Record<string, string>;
    ask: (name: OperationName, path: string, body?: unknown) => Promise<Record<string, unknown>>;
  }) => Promise<void>,
): Promise<void> {
  const root = await Deno.makeTempDir();
  const file = join(root, "config.toml");
  await Deno.writeTextFile(file, CONFIG);
  const toolsets = Object.fromEntries(
    builtInToolsets.filter(({ name }) => name !== CORE).map(({ name, settings }) => [name, settings]),
  );
  const config = await loadConfig({ root, file, toolsets });
  const assistant = await createAssistant({
    config,
    version: "0.0.1",
    toolsets: builtInToolsets,
    env: () => undefined,
  });
  const server = await serve({ assistant, web: { ...config.web, port: 0 } });
  try {
    await assistant.started;
    const token = (await Deno.readTextFile(join(config.dataDir, "token"))).trim();
    const headers = { authorization: `Bearer ${token}` };
    await run({
      url: server.url,
      headers,
      ask: (name, path, body) =>
        promised(
          name,
          fetch(`${server.url}${path}`, {
            method: operations[name].method,
            headers: { ...headers, "content-type": "application/json" },
            ...body !== undefined && { body: JSON.stringify(body) },
          }),
        ),
    });
  } finally {
    await server.close();
    await assistant.close();
    await Deno.remove(root, { recursive: true });
  }
}
