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
      const scrolled = await scrolledThrough(subject, id, cookie);
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
        {
          name: "opening 5,000 entries, scrolled to the top and back",
          value: scrolled.after,
          unit: "MB",
          aim: null,
          note: `${note}; heap, ${scrolled.before.toFixed(1)} MB before; ${scrolled.elements} elements; ` +
            `the longest task ${Math.round(scrolled.longest)} ms; ${scrolled.seconds.toFixed(1)} s`,
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
    const text = await response.text();
    if (!response.ok) throw new Error(`The page answered ${response.status}: ${text.slice(0, 300)}`);
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

interface Scrolled {
  readonly before: number;
  readonly after: number;
  readonly elements: number;
  readonly longest: number;
  readonly seconds: number;
}

/** Scrolls to the first message, page by page, and back; the heap is in MB, garbage taken away. */
async function scrolledThrough({ served }: Subject, id: string, cookie: string): Promise<Scrolled> {
  const browser = await startChromium();
  try {
    const context = await browser.newContext();
    const [name, ...value] = cookie.split("=");
    await context.addCookies([{ name: name!, value: value.join("="), url: served.url }]);
    const page = await context.newPage();
    const devtools = await context.newCDPSession(page);
    const heap = async () => {
      await devtools.send("HeapProfiler.collectGarbage");
      return (await devtools.send("Runtime.getHeapUsage")).usedSize / 1e6;
    };
    await page.goto(`${served.url}/c/${id}`);
    await page.getByText("Live on this machine").waitFor({ state: "attached" });
    await page.evaluate(`globalThis.longestTask = 0;
      new PerformanceObserver((list) => {
        for (const { duration } of list.getEntries()) globalThis.longestTask = Math.max(globalThis.longestTask, duration);
      }).observe({ entryTypes: ["longtask"] });`);
    const before = await heap();
    const began = performance.now();
    for (let steps = 0; steps < 2000 && await page.locator("#turn-1").count() === 0; steps++) {
      await page.evaluate("scrollTo(0, 0); new Promise((done) => requestAnimationFrame(() => setTimeout(done, 20)))");
    }
    await page.locator("#turn-1").waitFor();
    await page.evaluate("scrollTo(0, document.documentElement.scrollHeight)");
    const seconds = (performance.now() - began) / 1000;
    const elements = await page.evaluate<number>("document.querySelectorAll('*').length");
    const longest = await page.evaluate<number>("globalThis.longestTask");
    return { before, after: await heap(), elements, longest, seconds };
  } finally {
    await browser.close();
  }
}
