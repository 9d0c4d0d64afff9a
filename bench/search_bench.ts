/** Searching a million messages, as a person types: rare words, common ones, phrases, beginnings. */
import { join } from "node:path";
import { type Database, openStorage } from "../core/storage/mod.ts";
import { type Bench, type Figure, median, spread } from "./figure.ts";
import { type Subject, withSubject } from "./subject.ts";

const MESSAGES = 1_000_000;
const PER_CONVERSATION = 100;
const PER_TRANSACTION = 10_000;
const WORDS = 30;
/** Every so many messages says a rare word. */
const RARE_EVERY = 100_000;
const RUNS = 20;

/** English's most common words come first: how often a word is said falls with its place, as in any language. */
const COMMON = "the of and to in that is was he for it with as his on be at by this had".split(" ");

/** What is typed. Figures of whole words, then such as are being typed. */
const SEARCHES: Readonly<Record<string, string>> = {
  "a rare word": "okapi ",
  "a common word": "the ",
  "a common phrase": "of the ",
  "a rare phrase of common words": "his his his his ",
  "two common words, never side by side": "his was ",
  "a common word being typed": "the",
  "one letter": "t",
  "two letters": "th",
  "a phrase and one letter": "of t",
  "no match": "xylophonist",
};

export const bench: Bench = {
  about: "searching 1,000,000 messages",
  async measure() {
    return await withSubject({ prepare: fill }, async (subject) => {
      const figures: Figure[] = [];
      for (const [name, typed] of Object.entries(SEARCHES)) figures.push(await figureOf(subject, name, typed));
      return figures;
    });
  },
};

async function figureOf({ wire }: Subject, name: string, typed: string): Promise<Figure> {
  const times: number[] = [];
  let found = 0;
  for (let run = 0; run < RUNS; run++) {
    const asked = performance.now();
    found = (await wire.get<{ items: unknown[] }>(`/api/search?q=${encodeURIComponent(typed)}`)).items.length;
    times.push(performance.now() - asked);
  }
  const note = `"${typed}", ${found} found; ${spread(times)}`;
  return { name: `search: ${name}`, value: median(times), unit: "ms", aim: 50, note };
}

async function fill(home: string): Promise<void> {
  const storage = await openStorage({ dataDir: join(home, "data") });
  try {
    const { database } = storage;
    await database.write([{
      sql: `insert into conversations (id, title, title_kind, agent, created_at, updated_at)
        select printf('C%025d', value), 'Conversation ' || value, 'given', 'assistant', :now, :now
        from generate_series(0, ?)`.replaceAll(":now", "'2026-03-01T12:00:00Z'"),
      args: [MESSAGES / PER_CONVERSATION - 1],
    }]);
    const say = talker();
    for (let first = 0; first < MESSAGES; first += PER_TRANSACTION) await write(database, first, say);
  } finally {
    await storage.close();
  }
}

async function write(database: Database, first: number, say: (message: number) => string): Promise<void> {
  const texts = Array.from({ length: PER_TRANSACTION }, (_, index) => say(first + index));
  await database.write([{
    sql: `insert into entries (conversation, seq, turn, kind, state, at, touched, data)
      select printf('C%025d', (?1 + key) / ?2), (?1 + key) % ?2 + 1, 'T', iif(key % 2, 'text', 'user'), 'done',
        '2026-03-01T12:00:00Z', 0, json_object('text', value, 'from', 'person') from json_each(?3)`,
    args: [first, PER_CONVERSATION, JSON.stringify(texts)],
  }]);
}

/** Makes messages of thirty words, the same ones each time. */
function talker(): (message: number) => string {
  let seed = 1;
  const random = () => (seed = (seed * 1103515245 + 12345) & 0x7fffffff) / 0x7fffffff;
  const letters = "etaoinshrdlucmfwypvbgkjqxz";
  const letter = () => letters[Math.floor(random() * random() * letters.length)] ?? "e";
  const rare = Array.from(
    { length: 50_000 },
    () => Array.from({ length: 3 + Math.floor(random() * 8) }, letter).join(""),
  );
  const words = [...COMMON, ...rare];
  const word = () => words[Math.floor(Math.exp(random() * Math.log(words.length)) - 1)] ?? "the";
  return (message) => {
    const text = Array.from({ length: WORDS }, word).join(" ").replaceAll("his was", "his had");
    return message % RARE_EVERY === RARE_EVERY - 1 ? `${text} okapi` : text;
  };
}
