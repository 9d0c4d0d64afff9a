/**
 * Builds the browser files of an app ahead of its first start and prints what they weigh: `deno task build [folder]`.
 * Without a folder it is the one above this one.
 *
 * @module
 */
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { staticFilesOf } from "./bundle_urls.ts";
import { Builder, type PageBundle } from "./dev.ts";

/** One line of the report, in bytes. */
export interface BuiltFile {
  readonly name: string;
  readonly raw: number;
  readonly gzip: number;
}

/** What each file weighs, the heaviest first. */
export async function weigh(bundle: PageBundle): Promise<BuiltFile[]> {
  const weighed = [...bundle.files].map(async ([name, text]) => {
    const gzip = new Response(text).body?.pipeThrough(new CompressionStream("gzip")) ?? null;
    return { name, raw: new Blob([text]).size, gzip: (await new Response(gzip).bytes()).byteLength };
  });
  return (await Promise.all(weighed)).sort((a, b) => b.gzip - a.gzip);
}

/** What a page with these islands loads at once, compressed. */
export function firstLoad(bundle: PageBundle, files: readonly BuiltFile[], islands: readonly string[]): number {
  const loaded = staticFilesOf(bundle, bundle.boot);
  for (const island of islands) staticFilesOf(bundle, bundle.entries[island] ?? "", loaded);
  return files.filter((file) => loaded.has(file.name)).reduce((sum, file) => sum + file.gzip, 0);
}

if (import.meta.main) {
  const root = resolve(Deno.args[0] ?? fileURLToPath(new URL("../", import.meta.url)));
  const { snapshot } = await new Builder({ root }).build();
  const bundle = await snapshot.bundle();
  if (bundle === null) {
    console.log(`No islands in ${root}, nothing to build`);
  } else {
    const files = await weigh(bundle);
    const line = (name: string, raw: number | string, gzip: number | string) =>
      console.log(name.padEnd(48), String(raw).padStart(10), String(gzip).padStart(10));
    line("file", "bytes", "gzip");
    for (const { name, raw, gzip } of files) line(name, raw, gzip);
    const islands = Object.keys(bundle.entries);
    for (const island of islands) line(`first load with ${island}`, "", firstLoad(bundle, files, [island]));
    line("first load with all islands", "", firstLoad(bundle, files, islands));
    console.log(`Built ${islands.length} island files of ${root} as ${bundle.hash}`);
  }
}
