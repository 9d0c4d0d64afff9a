/**
 * The program that bundles: `Deno.bundle` resolves imports by the working directory, and only a process of its own can be
 * given one without moving the server's. It takes a `BundleRequest` as its argument and prints a `BundleOutcome`.
 *
 * @module
 */
import { bundle, type BundleOutcome, type BundleRequest } from "./bundle.ts";

async function run(request: BundleRequest): Promise<BundleOutcome> {
  try {
    return await bundle(request);
  } catch (error) {
    return { ok: false, errors: [error instanceof Error ? error.message : String(error)] };
  }
}

if (import.meta.main) {
  const outcome = await run(JSON.parse(Deno.args[0] ?? "{}"));
  await new Response(JSON.stringify(outcome)).body?.pipeTo(Deno.stdout.writable);
}
