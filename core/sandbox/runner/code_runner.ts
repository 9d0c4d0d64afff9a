/**
 * Runs one piece of code that comes by standard input, in a process that was granted what the person allowed and no more.
 *
 * This file is the trusted entry. The code is imported from memory by a computed import, so that every module below it is
 * held to the process's permissions; a file or a static import would be read with more (FACTS A3b, A3d).
 *
 * @module
 */
import { closePersistence } from "./closed.ts";

const source = await new Response(Deno.stdin.readable).text();
closePersistence();
const address = URL.createObjectURL(new Blob([source], { type: "application/typescript" }));
try {
  const module = await import(address);
  if ("default" in module) console.log(module.default);
} catch (error) {
  const text = error instanceof Error ? error.stack ?? String(error) : `Uncaught ${Deno.inspect(error)}`;
  const own = text.split("\n").filter((line) => !line.includes("code_runner.ts")).join("\n");
  console.error(own.replaceAll(address, "code.ts"));
  Deno.exit(1);
}
