/** Ten sub-agents at once: how long beyond the models' own time, from the call that starts them to the answer after them. */
import { startFakeProvider } from "../tests/providers/mod.ts";
import { type Bench, median, spread } from "./figure.ts";
import { newConversation, openLive, say, withSubject } from "./subject.ts";

const WORKERS = 10;
const RUNS = 12;
const WARM_UP = 3;

const CONFIG = `
[assistant]
generate_titles = false
capture_requests = false

[agents.assistant]
delegates_to = ["worker"]

[agents.worker]
description = "Works"
system_message = "You are a worker."
[agents.worker.tools]
available = ["compute"]
`;

export const bench: Bench = {
  about: "ten sub-agents at once",
  async measure() {
    let began = 0;
    const times: number[] = [];
    await using provider = startFakeProvider("openai-chat", ({ body }) => {
      const isWorker = body.includes("You are a worker.");
      const hasResults = body.includes('"role":"tool"');
      if (isWorker) {
        return hasResults
          ? { text: "It is 42" }
          : { toolCalls: [{ name: "calculate", arguments: { expression: "6*7" } }] };
      }
      if (hasResults) {
        times.push(performance.now() - began);
        return { text: "All say 42" };
      }
      return {
        toolCalls: Array.from({ length: WORKERS }, (_, n) => ({
          name: "spawn_subagent",
          arguments: { agent_type: "worker", task: `What is 6*7? You are number ${n}` },
        })),
        gate: () => void (began = performance.now()),
      };
    });
    return await withSubject({ model: provider.modelString, config: CONFIG }, async (subject) => {
      let ended = Promise.withResolvers<void>();
      const live = await openLive(subject, (operation) => {
        if (operation.op === "turn" && operation.turn.ended_at !== null) ended.resolve();
      });
      for (let run = 0; run < RUNS + WARM_UP; run++) {
        ended = Promise.withResolvers();
        await say(subject, await newConversation(subject, live), "Ask them all");
        await ended.promise;
      }
      await live.close();
      const warm = times.slice(WARM_UP);
      if (warm.length !== RUNS) throw new Error(`Of ${RUNS} runs ${warm.length} came to their end`);
      return [{
        name: `${WORKERS} sub-agents at once, each with a tool round`,
        value: median(warm),
        unit: "ms",
        aim: null,
        note: `from the calls to the request with their answers; ${spread(warm)}`,
      }];
    });
  },
};
