/**
 * Builds the browser files of an app, the one above this folder or in the folder named, and prints what they weigh.
 *
 * @module
 */
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { firstFiles } from "./bundle_urls.ts";
import { Builder, type PageBundle } from "./dev.ts";

/** What each file and each island's first load weigh, in bytes: a table of lines. */
export function weightReport(bundle: PageBundle): string[] {
  const line = (name: string, raw: number | string, gzip: number | string) =>
    name.padEnd(56) + String(raw).padStart(10) + String(gzip).padStart(10);
  const sizes = new Map([...bundle.files].map(([name, text]) => [name, gzipSync(text).byteLength]));
  const firstLoad = (islands: readonly string[]) =>
    [...firstFiles(bundle, islands)].reduce((sum, file) => sum + (sizes.get(file) ?? 0), 0);
  const islands = Object.keys(bundle.entries);
  return [
    line("file", "bytes", "gzip"),
    ...[...bundle.files].map(([name, text]) => line(name, new Blob([text]).size, sizes.get(name) ?? 0)),
    ...islands.map((island) => line(`first load with ${island}`, "", firstLoad([island]))),
    line("first load with all islands", "", firstLoad(islands)),
  ];
}

if (import.meta.main) {
  const root = resolve(Deno.args[0] ?? fileURLToPath(new URL("../", import.meta.url)));
  const bundle = await (await new Builder({ root }).build()).snapshot.bundle();
  console.log(bundle === null ? `No islands in ${root}, nothing to build` : weightReport(bundle).join("\n"));
}
