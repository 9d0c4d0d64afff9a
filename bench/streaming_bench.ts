/** A reply of 60,000 characters at 500 tokens a second, in a browser at an eighth of its speed. */
import type { CDPSession } from "playwright-core";
import { startChromium } from "../tests/chromium.ts";
import { longTexts } from "../tests/islands/markdown_page.ts";
import type { Bench, Figure } from "./figure.ts";
import { PacedProvider } from "./paced_provider.ts";
import { newConversation, openLive, say, signIn, type Subject, withSubject } from "./subject.ts";

const LENGTH = 60_000;
const TOKENS_PER_SECOND = 500;
const SLOWER = 8;

export const bench: Bench = {
  about: "a long reply while it streams into a slow browser",
  async measure() {
    const figures: Figure[] = [];
    for (const [name, text] of [["mixed", mixedText(LENGTH)], ["one list", longTexts(LENGTH)["one list"]!]] as const) {
      const provider = new PacedProvider(text, TOKENS_PER_SECOND);
      try {
        figures.push(...await withSubject({ model: provider.modelString }, (subject) => stream(subject, name, text)));
      } finally {
        await provider.close();
      }
    }
    return figures;
  },
};

/** Prose, lists, tables, listings and quotes one after the other, as a long answer has them. */
export function mixedText(length: number): string {
  const parts: string[] = [];
  for (let n = 1, total = 0; total < length; n++) {
    const part =
      `## Part ${n}\n\nA paragraph **number ${n}** with \`code\` and [a link](https://a.example), then words that ` +
      `go on for a while, so that it takes two lines or three.\n\n- one item of *${n}*\n- another\n\n` +
      `| n | what | kg |\n|---|---|---|\n| ${n} | some words | ${n * 3} |\n| ${n + 1} | more | ${n * 4} |\n\n` +
      `> A quoted line of part ${n}\n\n\`\`\`ts\nconst part = ${n}; // a comment\nreturn "text";\n\`\`\`\n\n`;
    total += parts[parts.push(part) - 1]!.length;
  }
  return parts.join("").slice(0, length).trimEnd();
}

interface Moment {
  readonly busyMs: number;
  readonly pieces: number;
}

async function stream(subject: Subject, name: string, text: string): Promise<Figure[]> {
  const cookie = await signIn(subject);
  const live = await openLive(subject, () => {});
  const id = await newConversation(subject, live);
  const browser = await startChromium();
  try {
    const context = await browser.newContext();
    const [key, ...value] = cookie.split("=");
    await context.addCookies([{ name: key!, value: value.join("="), url: subject.served.url }]);
    const page = await context.newPage();
    const devtools = await context.newCDPSession(page);
    await page.goto(`${subject.served.url}/c/${id}`);
    await page.getByText("Live on this machine").waitFor({ state: "attached" });
    await devtools.send("Performance.enable");
    await devtools.send("Network.enable");
    const arrived = new Arrived();
    devtools.on("Network.webSocketFrameReceived", ({ response }) => arrived.take(response.payloadData));
    await page.evaluate(WATCH_TASKS);
    await devtools.send("Emulation.setCPUThrottlingRate", { rate: SLOWER });
    await say(subject, id, "Go on");
    const at = async (part: number): Promise<Moment> => {
      await arrived.until(text.length * part);
      return { busyMs: await busy(devtools), pieces: arrived.pieces };
    };
    const [first, tenth] = [await at(0.02), await at(0.12)];
    const [ninetieth, last] = [await at(0.88), await at(0.98)];
    await page.locator(".colophon").waitFor({ timeout: 120_000 });
    const longest = await page.evaluate<number>("globalThis.longestTask");
    const early = (tenth.busyMs - first.busyMs) / (tenth.pieces - first.pieces);
    const late = (last.busyMs - ninetieth.busyMs) / (last.pieces - ninetieth.pieces);
    const note = `${text.length} characters, ${name}, Chromium ${SLOWER} times slower`;
    return [
      { name: `streaming, ${name}: longest task`, value: longest, unit: "ms", aim: 100, note },
      {
        name: `streaming, ${name}: cost of a piece`,
        value: late,
        unit: "ms",
        aim: early * 1.2,
        note: `last tenth; ${early.toFixed(1)} ms in the first; ${arrived.pieces} pieces; ${note}`,
      },
    ];
  } finally {
    await browser.close();
    await live.close();
  }
}

/** Given as text, since it runs in the browser. */
const WATCH_TASKS = `globalThis.longestTask = 0;
new PerformanceObserver((list) => {
  for (const { duration } of list.getEntries()) globalThis.longestTask = Math.max(globalThis.longestTask, duration);
}).observe({ entryTypes: ["longtask"] });`;

/** How long the page's main thread has been busy, in milliseconds. */
async function busy(devtools: CDPSession): Promise<number> {
  const { metrics } = await devtools.send("Performance.getMetrics");
  return 1000 * (metrics.find(({ name }) => name === "TaskDuration")?.value ?? NaN);
}

/** What has come on the live socket of a page. */
class Arrived {
  pieces = 0;
  #characters = 0;
  #waiting: { readonly characters: number; readonly resolve: () => void }[] = [];

  take(frame: string): void {
    if (!frame.startsWith('{"op":"delta"')) return;
    this.pieces++;
    this.#characters += (JSON.parse(frame) as { readonly text: string }).text.length;
    const isThere = ({ characters }: { readonly characters: number }) => characters <= this.#characters;
    for (const { resolve } of this.#waiting.filter(isThere)) resolve();
    this.#waiting = this.#waiting.filter((each) => !isThere(each));
  }

  /** Resolves when so many characters have come. */
  until(characters: number): Promise<void> {
    return new Promise((resolve) => this.#waiting.push({ characters, resolve }));
  }
}
