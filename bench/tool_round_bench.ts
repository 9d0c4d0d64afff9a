/** One tool round beyond the model's own time: from the end of its answer to the next request, the call run in between. */
import { startFakeProvider } from "../tests/providers/mod.ts";
import { type Bench, median, spread } from "./figure.ts";
import { newConversation, openLive, say, withSubject } from "./subject.ts";

const RUNS = 40;
const WARM_UP = 10;

export const bench: Bench = {
  about: "a tool round beyond the model's time",
  async measure() {
    let lastFrame = 0;
    const times: number[] = [];
    await using provider = startFakeProvider("openai-chat", (_request, index) => {
      if (index % 2 === 1) {
        times.push(performance.now() - lastFrame);
        return { text: "It is 42" };
      }
      return {
        toolCalls: [{ name: "calculate", arguments: { expression: "6*7" } }],
        gate: () => void (lastFrame = performance.now()),
      };
    });
    return await withSubject({ model: provider.modelString }, async (subject) => {
      let ended = Promise.withResolvers<void>();
      const live = await openLive(subject, (operation) => {
        if (operation.op === "turn" && operation.turn.ended_at !== null) ended.resolve();
      });
      for (let run = 0; run < RUNS + WARM_UP; run++) {
        ended = Promise.withResolvers();
        await say(subject, await newConversation(subject, live), "What is 6*7?");
        await ended.promise;
      }
      await live.close();
      const warm = times.slice(WARM_UP);
      return [{
        name: "one tool round beyond the model's time",
        value: median(warm),
        unit: "ms",
        aim: 3,
        note: `from the last frame of the call to the next request; ${spread(warm)}`,
      }];
    });
  },
};
