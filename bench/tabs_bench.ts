/** Twenty tabs on one stream of 500 tokens a second: how long the server is busy, and that all hold the same text. */
import { longTexts } from "../tests/islands/markdown_page.ts";
import type { Bench } from "./figure.ts";
import { PacedProvider } from "./paced_provider.ts";
import { newConversation, openLive, say, type Subject, withSubject } from "./subject.ts";

const TABS = 20;
const TEXT = longTexts(20_000)["prose"]!;
const TOKENS_PER_SECOND = 500;

export const bench: Bench = {
  about: "twenty tabs on one stream",
  async measure() {
    const provider = new PacedProvider(TEXT, TOKENS_PER_SECOND);
    try {
      return await withSubject({ model: provider.modelString }, async (subject) => {
        const one = await stream(subject, 1);
        const many = await stream(subject, TABS);
        const note = `server CPU for a second of stream; ${one.toFixed(1)} ms with one tab; all hold the same text`;
        return [{ name: `${TABS} tabs on one stream`, value: many, unit: "ms", aim: null, note }];
      });
    } finally {
      await provider.close();
    }
  },
};

/** Milliseconds of the server's CPU for each second of the stream. */
async function stream(subject: Subject, tabs: number): Promise<number> {
  const texts: string[] = Array.from({ length: tabs }, () => "");
  let ended = 0;
  const all = Promise.withResolvers<void>();
  const lives = await Promise.all(texts.map((_, tab) =>
    openLive(subject, (operation) => {
      if (operation.op === "delta") texts[tab] = texts[tab]!.slice(0, operation.at) + operation.text;
      if (operation.op === "turn" && operation.turn.ended_at !== null && ++ended === tabs) all.resolve();
    })
  ));
  const id = await newConversation(subject, lives[0]!);
  for (const live of lives.slice(1)) live.send({ op: "watch", conversation: id, after: 0 });
  const [began, busy] = [performance.now(), await cpuMs(subject.served.pid)];
  await say(subject, id, "Go on");
  await all.promise;
  const spent = await cpuMs(subject.served.pid) - busy;
  const seconds = (performance.now() - began) / 1000;
  await Promise.all(lives.map((live) => live.close()));
  if (texts.some((text) => text !== texts[0]) || texts[0] === "") throw new Error("The tabs do not hold the same text");
  return spent / seconds;
}

/** What a process has used of the CPU, in milliseconds; Linux counts in hundredths of a second. */
async function cpuMs(pid: number): Promise<number> {
  const fields = (await Deno.readTextFile(`/proc/${pid}/stat`)).split(") ")[1]!.split(" ");
  return 10 * (Number(fields[11]) + Number(fields[12]));
}
