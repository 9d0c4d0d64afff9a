/**
 * The one place that calls `Deno.bundle`. It resolves imports by the working directory, so it runs as a program in a process
 * of its own, which can be given one without moving the server's: it takes a `BundleRequest` as its argument and prints a
 * `BundleOutcome`.
 *
 * @module
 */
import { join, relative } from "node:path";

/** What to bundle for the browser: the paths of the entry modules. */
export interface BundleRequest {
  readonly entrypoints: readonly string[];
  readonly minify: boolean;
}

/** The built files by name, or what is wrong. */
export type BundleOutcome =
  | { readonly ok: true; readonly files: Readonly<Record<string, string>> }
  | { readonly ok: false; readonly errors: readonly string[] };

/**
 * Bundles entry modules with shared chunks. Entries keep their place below the lowest folder they have in common.
 * Specifiers are resolved with the `deno.json` of the working directory, whatever the entries' own folder is.
 */
export async function bundle({ entrypoints, minify }: BundleRequest): Promise<BundleOutcome> {
  const outputDir = join(Deno.cwd(), "_fresh_page");
  const result = await Deno.bundle({
    entrypoints: [...entrypoints],
    outputDir,
    platform: "browser",
    format: "esm",
    codeSplitting: true,
    minify,
    write: false,
  });
  const files = (result.outputFiles ?? []).map((file) => [slashed(relative(outputDir, file.path)), file.text()]);
  const errors = result.errors.map(({ text, location }) => {
    return location ? `${location.file}:${location.line}:${location.column}: ${text}` : text;
  });
  return result.success ? { ok: true, files: Object.fromEntries(files) } : { ok: false, errors };
}

/** A path with the slashes of an address. */
export function slashed(path: string): string {
  return path.replaceAll("\\", "/");
}

if (import.meta.main) {
  const outcome = await bundle(JSON.parse(Deno.args[0] ?? "")).catch((error): BundleOutcome => {
    return { ok: false, errors: [error instanceof Error ? error.message : String(error)] };
  });
  await new Response(JSON.stringify(outcome)).body?.pipeTo(Deno.stdout.writable);
}
