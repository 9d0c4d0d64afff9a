/** Opening a conversation of 5,000 entries: the server's answer, and the first paint in a browser. */
import { startFakeProvider } from "../tests/providers/mod.ts";
import { type Bench, median, spread } from "./figure.ts";
import { newConversation, openLive, say, signIn, type Subject, withSubject } from "./subject.ts";
import { startChromium } from "../tests/chromium.ts";

const ENTRIES = 5_000;
const RUNS = 30;
const PAINTS = 7;

export const bench: Bench = {
  about: "opening a conversation of 5,000 entries",
  async measure() {
    await using provider = startFakeProvider(
      "openai-chat",
      (_request, index) =>
        index % 2 === 1 ? { thinking: "Both are known now", text: ANSWER } : {
          toolCalls: ["6*7", "2^64", "17*23", "10/4"].map((expression) => ({
            name: "calculate",
            arguments: { expression },
          })),
        },
    );
    return await withSubject({ model: provider.modelString }, async (subject) => {
      const { id, entries } = await longConversation(subject);
      const cookie = await signIn(subject);
      const served = await openedByServer(subject, id, cookie);
      const painted = await paintedByBrowser(subject, id, cookie);
      const note = `${entries} entries`;
      return [
        {
          name: "opening 5,000 entries, server",
          value: median(served),
          unit: "ms",
          aim: 50,
          note: `${note}; ${spread(served)}`,
        },
        {
          name: "opening 5,000 entries, first paint",
          value: median(painted),
          unit: "ms",
          aim: 300,
          note: `${note}, Chromium; ${spread(painted)}`,
        },
      ];
    });
  },
};

const ANSWER = `The results are **42**, \`18446744073709551616\`, 391 and 2.5.

| expression | value |
| ---------- | ----- |
| 6*7        | 42    |
| 17*23      | 391   |

- the second is exact, since whole numbers of any length are
- the last is a decimal fraction`;

/** Talks until the conversation has so many entries. */
async function longConversation(subject: Subject): Promise<{ readonly id: string; readonly entries: number }> {
  let entries = 0;
  let ended = Promise.withResolvers<void>();
  const live = await openLive(subject, (operation) => {
    if (operation.op === "entries") entries = Math.max(entries, operation.last_seq);
    if (operation.op === "turn" && operation.turn.ended_at !== null) ended.resolve();
  });
  const id = await newConversation(subject, live);
  while (entries < ENTRIES) {
    ended = Promise.withResolvers();
    await say(subject, id, "What are 6*7, 2^64, 17*23 and 10/4?");
    await ended.promise;
  }
  await live.close();
  return { id, entries };
}

async function openedByServer({ served }: Subject, id: string, cookie: string): Promise<number[]> {
  const times: number[] = [];
  for (let run = 0; run < RUNS; run++) {
    const asked = performance.now();
    const response = await fetch(`${served.url}/c/${id}`, { headers: { cookie, accept: "text/html" } });
    await response.text();
    if (!response.ok) throw new Error(`The page answered ${response.status}`);
    times.push(performance.now() - asked);
  }
  return times;
}

async function paintedByBrowser({ served }: Subject, id: string, cookie: string): Promise<number[]> {
  const browser = await startChromium();
  try {
    const times: number[] = [];
    const [name, ...value] = cookie.split("=");
    for (let run = 0; run < PAINTS + 1; run++) {
      const context = await browser.newContext();
      await context.addCookies([{ name: name!, value: value.join("="), url: served.url }]);
      const page = await context.newPage();
      await page.goto(`${served.url}/c/${id}`);
      // Given as text, since it runs in the browser.
      times.push(
        await page.evaluate<number>(`new Promise((resolve) => {
          new PerformanceObserver((list) => resolve(list.getEntriesByName("first-contentful-paint")[0].startTime))
            .observe({ type: "paint", buffered: true });
        })`),
      );
      await context.close();
    }
    return times.slice(1);
  } finally {
    await browser.close();
  }
}
