/** From sending a message to its first token on the live socket, less the time that the provider itself took. */
import { startFakeProvider } from "../tests/providers/mod.ts";
import { type Bench, median, spread } from "./figure.ts";
import { newConversation, openLive, say, withSubject } from "./subject.ts";

const RUNS = 40;
const WARM_UP = 10;

export const bench: Bench = {
  about: "a message to its first token, beyond the provider's own time",
  async measure() {
    let received = 0;
    let answered = 0;
    await using provider = startFakeProvider("openai-chat", () => {
      received = performance.now();
      return { text: ["Yes"], gate: (frame) => void (frame === 0 && (answered = performance.now())) };
    });
    return await withSubject({ model: provider.modelString }, async (subject) => {
      let arrived = Promise.withResolvers<number>();
      let ended = Promise.withResolvers<void>();
      const live = await openLive(subject, (operation) => {
        const text = operation.op === "delta"
          ? operation.text
          : operation.op === "entries"
          ? operation.items.map((entry) => entry.kind === "text" ? entry.data.text : "").join("")
          : "";
        if (text !== "") arrived.resolve(performance.now());
        if (operation.op === "turn" && operation.turn.ended_at !== null) ended.resolve();
      });
      const there: number[] = [];
      const back: number[] = [];
      for (let run = 0; run < RUNS + WARM_UP; run++) {
        arrived = Promise.withResolvers();
        ended = Promise.withResolvers();
        const conversation = await newConversation(subject, live);
        const sent = performance.now();
        const posted = say(subject, conversation, "Is it so?");
        const shown = await arrived.promise;
        if (run >= WARM_UP) {
          there.push(received - sent);
          back.push(shown - answered);
        }
        await posted;
        await ended.promise;
      }
      await live.close();
      const whole = there.map((ms, run) => ms + back[run]!);
      return [{
        name: "message to first token beyond the provider's own",
        value: median(whole),
        unit: "ms",
        aim: 3,
        note: `${median(there).toFixed(2)} ms to the provider (the message is on disk by then), ${
          median(back).toFixed(2)
        } ms back; ${spread(whole)}`,
      }];
    });
  },
};
