/**
 * The whole product over the wire, on the demonstration model.
 *
 * @module
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { createAssistant } from "../../core/assistant.ts";
import { loadConfig } from "../../core/config/mod.ts";
import { CORE } from "../../core/tool/mod.ts";
import { builtInToolsets } from "../../toolsets/mod.ts";
import { type Operation, type OperationName, operations } from "../../web/operations.ts";
import { serve } from "../../web/serve.ts";

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
      async ask(name, path, body) {
        const operation: Operation = operations[name];
        const answer = await fetch(`${server.url}${path}`, {
          method: operation.method,
          headers: { ...headers, "content-type": "application/json" },
          ...body !== undefined && { body: JSON.stringify(body) },
        });
        const text = await answer.text();
        assert.equal(answer.status, operation.status, `${name}: ${text}`);
        if (typeof operation.answer === "string") return {};
        const parsed = operation.answer.safeParse(JSON.parse(text));
        assert.ok(parsed.success, `${name}: ${parsed.error}`);
        return JSON.parse(text);
      },
    });
  } finally {
    await server.close();
    await assistant.close();
    await Deno.remove(root, { recursive: true });
  }
}
