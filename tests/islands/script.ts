import type { ScriptedTurn } from "../../core/model/mod.ts";

type Play = readonly ScriptedTurn[];

/** Thinking, four calls of which one fails, then lists, a link and a table. */
export const COAST: Play = [
  {
    thinking:
      "The causeway sets the calendar, so find low water in daylight first and fit the walk around it. Their notes " +
      "may already say where they want to sleep.\n\nThen price beds, trains and food, and see what is left of the 400.",
    tool_calls: [
      { name: "read_file", arguments: { path: "notes/coast.md", lines: 31 } },
      { name: "fetch_page", arguments: { url: "https://harbour.example/tides/october" } },
      { name: "fetch_page", arguments: { url: "https://ferry.example/timetable" } },
      { name: "calculate", arguments: { expression: "359.5 + 40.5" } },
    ],
  },
  {
    text:
      `Low water falls in daylight on all three days you could take, and best on **15 October at 11:31**. The causeway is dry
for ninety minutes either side, so the crossing goes on the middle day and everything else hangs from it.

- **Wednesday 14.** Train to Harbour Point, then along the cliffs to the mill. Sleep there.
- **Thursday 15.** Over the causeway to Longstone between 10:01 and 13:01, round the island, back by the evening ferry.
- **Friday 16.** The long day, to Gull Cove and the train home.

# What it comes to

I could not read the ferry timetable, so its price is last year’s, from [your notes](https://notes.example/coast).

| Item | Number | Each | Together | Share |
| --- | --- | --- | --- | --- |
| Train, both ways | 4 | 24.00 | 96.00 | 27 % |
| Bed at the mill | 4 | 37.00 | 148.00 | 41 % |
| Food, three days | 6 | 14.00 | 84.00 | 23 % |
| Ferry from Longstone | 2 | 11.00 | 22.00 | 6 % |
`,
    usage: {
      input_tokens: 11306,
      output_tokens: 1184,
      cached_tokens: 8000,
      cache_write_tokens: 0,
      reasoning_tokens: 210,
    },
  },
];

/** Formulas, a listing, money, a quotation, nested lists and a picture from elsewhere. */
export const DAYS: Play = [
  {
    thinking: "A pace on the flat plus a charge for climbing is enough; the path is good underfoot.",
    text: `Walking time is distance over pace, plus an hour for every 600 metres of climb:

$$t = \\frac{d}{4.5\\ \\text{km/h}} + \\frac{a}{600\\ \\text{m/h}}$$

\`\`\`ts
// Kilometres, metres of climb, and how fast you walk on the flat.
const pace = 4.5;
const climbPerHour = 600;

for (const { name, km, climb } of days) {
  const minutes = Math.round(60 * (km / pace + climb / climbPerHour));
  console.log(name.padEnd(28), \`\${Math.floor(minutes / 60)} h \${minutes % 60} min, which is a line that is too long for the page\`);
}
\`\`\`

So ten and a half hours on your feet over three days, with $x^2$ in it, nearly half of it on Friday. It costs $5 and $10.

> If Friday looks long, move the start to the mill’s early breakfast rather than cutting the cove.

1. First \`walk.ts\`
2. Then the *rest*
   - nested
   - twice

![a map](https://maps.example/east.png)
`,
  },
];

/** Eight calls in a row. */
export const MANY: Play = [
  {
    tool_calls: Array.from({ length: 8 }, (_, n) => ({ name: "read_file", arguments: { path: `notes/${n}.md` } })),
  },
  { text: "Eight files read." },
];

/** Twelve sentences, at so many words a second. */
export function slowly(tps: number): Play {
  return [{ thinking: "I should take my time here. Each word counts. Then the next one.", text: slowText(), tps }];
}

/** The same in some seven seconds. */
export const SLOW: Play = slowly(20);

/** A call that takes a minute. */
export const WAITING: Play = [{ tool_calls: [{ name: "wait_for", arguments: { ms: 60_000 } }] }, { text: "Waited." }];

/** A model that goes away in the middle. */
export const BROKEN: Play = [{ text: "The beginning of an answer that", fail: "unreachable" }];

/** A result of some 80 kB. */
export const LONG: Play = [
  { tool_calls: [{ name: "read_file", arguments: { path: "long.log", lines: 4000 } }] },
  { text: "Read it all." },
];

/** A call that asks where `bench.say_back` does, and a task for `scout`. */
export const ASKING: Play = [
  {
    text: "I write it down, and have the ferry looked up.",
    tool_calls: [
      {
        name: "say_back",
        arguments: { text: "Train to Harbour Point, then along the cliffs to the mill.\n".repeat(20) },
      },
      { name: "spawn_subagent", arguments: { agent_type: "scout", task: "Find the evening ferry from Longstone" } },
    ],
  },
  { text: "One sailing, 17:40, weather permitting." },
];

/** What `scout` does: a thought, a call that asks where `bench.read_file` does, and its answer. */
export const SCOUT: Play = [
  { thinking: "The notice board first.", tool_calls: [{ name: "read_file", arguments: { path: "notes/ferry.md" } }] },
  { text: "One sailing, **17:40**. The board was changed on 3 October." },
];

export const REFUSED: Play = [{ refusal: "I will not help with that." }];

/** Short answers, as many as are wanted. */
export function answers(count: number): Play {
  return Array.from({ length: count }, (_, n) => ({ text: `Answer number ${n + 1}.` }));
}

function slowText(): string {
  return Array.from({ length: 12 }, (_, n) => `Sentence number ${n + 1} is written slowly, with **some weight** in it.`)
    .join(" ");
}
