/** Searching 20,000 memories by meaning and words, with the local model and without it. */
import { join } from "node:path";
import { toBytes } from "../core/memory/vector.ts";
import { toUnit } from "../core/memory/embedding/embedder.ts";
import { openStorage } from "../core/storage/mod.ts";
import { type Bench, type Figure, median, spread } from "./figure.ts";
import { type Subject, withSubject } from "./subject.ts";

const MEMORIES = 20_000;
const DIMENSIONS = 512;
const PER_TRANSACTION = 2000;
const WORDS = 14;
const RUNS = 20;

/** What is looked for. */
const SEARCHES: Readonly<Record<string, string>> = {
  "a question": "what is the dog called that is afraid of thunder",
  "a rare word": "word777",
  "common words": "the of and to",
};

/** The name of a setting, and of the model whose vectors it finds in the store. */
const SETTINGS = { local: "use-lite-en@0.2.0", hash: "hash-512-v1" } as const;

export const bench: Bench = {
  about: "searching 20,000 memories",
  async measure() {
    const figures: Figure[] = [];
    for (const [setting, model] of Object.entries(SETTINGS)) {
      const config =
        `[memory]\nembedding = "${setting}"\n\n[agents.assistant]\n[agents.assistant.tools]\navailable = ["memory"]\n`;
      figures.push(
        ...await withSubject({ config, prepare: (home) => fill(home, model) }, async (subject) => {
          const first = await figureOf(subject, setting, "the first, which loads vectors and model", "dogs", 1, null);
          const found: Figure[] = [first];
          for (const [name, query] of Object.entries(SEARCHES)) {
            found.push(await figureOf(subject, setting, name, query, RUNS, 100));
          }
          return found;
        }),
      );
    }
    return figures;
  },
};

async function figureOf(
  { wire }: Subject,
  setting: string,
  name: string,
  query: string,
  runs: number,
  aim: number | null,
): Promise<Figure> {
  const times: number[] = [];
  let found = 0;
  for (let run = 0; run < runs; run++) {
    const asked = performance.now();
    const path = `/api/memories?limit=10&q=${encodeURIComponent(query)}`;
    found = (await wire.get<{ items: unknown[] }>(path)).items.length;
    times.push(performance.now() - asked);
  }
  const note = `"${query}", ${found} found; ${spread(times)}`;
  return { name: `memory search, ${setting}: ${name}`, value: median(times), unit: "ms", aim, note };
}

/** Texts with vectors of no meaning: comparing them costs the same. */
async function fill(home: string, model: string): Promise<void> {
  const storage = await openStorage({ dataDir: join(home, "data") });
  try {
    for (let first = 0; first < MEMORIES; first += PER_TRANSACTION) {
      await storage.database.write(Array.from({ length: PER_TRANSACTION }, (_, index) => ({
        sql: `insert into memories (id, text, created_at, updated_at, embedding, embedding_model)
          values (printf('M%025d', ?1), ?2, '2026-03-01T12:00:00Z', '2026-03-01T12:00:00Z', ?3, ?4)`,
        args: [first + index, textOf(first + index), toBytes(vectorOf(first + index)), model],
      })));
    }
  } finally {
    await storage.close();
  }
}

function textOf(n: number): string {
  const words = Array.from({ length: WORDS }, (_, at) => at % 3 === 0 ? "the" : `word${(n * (at + 7919)) % 5003}`);
  return `Fact ${n}: ${words.join(" ")} of the house`;
}

function vectorOf(n: number): Float32Array {
  return toUnit(Float32Array.from({ length: DIMENSIONS }, (_, at) => Math.sin((n + 1) * (at + 1) * 0.7)));
}
