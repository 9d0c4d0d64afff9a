/** From asking to stop to the provider seeing its socket closed, in the phases of a turn in which a request is open. */
import { type Reply, startFakeProvider } from "../tests/providers/mod.ts";
import { type Bench, median, spread } from "./figure.ts";
import { newConversation, openLive, say, withSubject } from "./subject.ts";

const RUNS = 10;
const WARM_UP = 2;

interface Phase {
  readonly name: string;
  readonly reply: Reply;
  /** The kind of entry that says the phase is reached; without one it is when the request has arrived. */
  readonly sign?: "thinking" | "text" | "tool";
}

const PHASES: readonly Phase[] = [
  { name: "no answer yet", reply: { silence: "stall" } },
  { name: "headers alone", reply: { fault: "stall", faultAfter: 0 } },
  { name: "thinking", reply: { thinking: "It begins", fault: "stall" }, sign: "thinking" },
  { name: "text", reply: { text: "It begins", fault: "stall" }, sign: "text" },
  {
    name: "a call's arguments",
    reply: { toolCalls: [{ name: "calculate", arguments: { expression: "6*7" } }], fault: "stall", faultAfter: 4 },
    sign: "tool",
  },
];

export const bench: Bench = {
  about: "a stop to the closed socket",
  async measure() {
    let reply: Reply = {};
    await using provider = startFakeProvider("openai-chat", () => reply);
    return await withSubject({ model: provider.modelString }, async (subject) => {
      const seen = new Map<string, PromiseWithResolvers<void>>();
      const sign = (conversation: string, kind: string) => {
        const key = `${conversation} ${kind}`;
        const held = seen.get(key) ?? Promise.withResolvers<void>();
        seen.set(key, held);
        return held;
      };
      const live = await openLive(subject, (operation) => {
        if (operation.op === "entries") {
          for (const { conversation, kind } of operation.items) sign(conversation, kind).resolve();
        }
      });
      const times = new Map<string, number[]>();
      for (let run = 0; run < RUNS + WARM_UP; run++) {
        for (const phase of PHASES) {
          reply = phase.reply;
          const conversation = await newConversation(subject, live);
          const index = provider.requests.length;
          await say(subject, conversation, "Go");
          const request = await provider.received(index);
          if (phase.sign !== undefined) await sign(conversation, phase.sign).promise;
          const began = performance.now();
          const stopped = subject.wire.post(`/api/conversations/${conversation}/stop`);
          await request.closed;
          if (run >= WARM_UP) times.set(phase.name, [...times.get(phase.name) ?? [], performance.now() - began]);
          await stopped;
        }
      }
      await live.close();
      const all = [...times.values()].flat();
      return [{
        name: "a stop to the closed socket",
        value: median(all),
        unit: "ms",
        aim: 250,
        note: `${[...times].map(([name, each]) => `${name} ${median(each).toFixed(1)}`).join(", ")}; ${spread(all)}`,
      }];
    });
  },
};
