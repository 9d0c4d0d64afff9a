/**
 * Runs the benches and prints one JSON line for each figure: `deno task bench [name…]`.
 *
 * Each measures the product from outside, as a process of its own with a fresh home folder. Run it on a quiet machine; the line
 * says what load it saw.
 *
 * @module
 */
import { nearest } from "../core/config/mod.ts";
import { type Bench, figureLine } from "./figure.ts";

const ENDING = "_bench.ts";

/** Names of the benches there are, in order. */
export function benchNames(): string[] {
  return [...Deno.readDirSync(new URL("./", import.meta.url))]
    .map((entry) => entry.name)
    .filter((name) => name.endsWith(ENDING))
    .map((name) => name.slice(0, -ENDING.length))
    .sort();
}

/** Runs the benches named, or all. Gives the exit status: 1 when one could not be run, 2 when there is none of a name. */
export async function runBenches(names: readonly string[]): Promise<number> {
  const known = benchNames();
  for (const name of names) {
    if (known.includes(name)) continue;
    const near = nearest(name, known);
    console.error(`There is no bench "${name}": ${near ? `did you mean "${near}"?` : `use ${known.join(", ")}`}`);
    return 2;
  }
  let status = 0;
  for (const name of names.length > 0 ? names : known) {
    const { bench } = await import(new URL(`./${name}${ENDING}`, import.meta.url).href) as { readonly bench: Bench };
    try {
      for (const figure of await bench.measure()) console.log(figureLine(figure, Deno.loadavg()));
    } catch (error) {
      console.error(`${name} (${bench.about}) could not be measured:`, error);
      status = 1;
    }
  }
  return status;
}

if (import.meta.main) Deno.exit(await runBenches(Deno.args));
