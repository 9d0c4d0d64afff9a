/**
 * Bundles the runner of third parties' toolsets into one file: a program of its own, since `Deno.bundle` resolves imports by
 * the working directory. Its argument is where the file goes.
 *
 * @module
 */
import { fileURLToPath } from "node:url";

const { success, errors, outputFiles } = await Deno.bundle({
  entrypoints: [fileURLToPath(new URL("./plugin_runner.ts", import.meta.url))],
  platform: "deno",
  format: "esm",
  codeSplitting: false,
  write: false,
});
const bundled = outputFiles?.[0]?.contents;
if (!success || !bundled) throw new Error(errors.map(({ text }) => text).join("\n"));
await Deno.writeFile(Deno.args[0] ?? "", bundled);
