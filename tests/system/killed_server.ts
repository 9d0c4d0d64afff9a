/**
 * The product as a process of its own, to be killed: `deno run -A killed_server.ts DATA_DIR MODEL`. Prints its address.
 *
 * @module
 */
import { startProduct } from "./product.ts";
import { slowToolset } from "./slow_toolset.ts";

if (import.meta.main) {
  const [dataDir, model] = Deno.args;
  const product = await startProduct({ dataDir, model: model ?? "demo:tour", toolsets: [slowToolset], keep: true });
  await product.assistant.started;
  console.log(JSON.stringify({ url: product.url, token: product.token }));
}
