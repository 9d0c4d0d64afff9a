/** The first page of the list with 10,000 conversations. */
import { type Bench, median, spread } from "./figure.ts";
import { withSubject } from "./subject.ts";

const CONVERSATIONS = 10_000;
const AT_ONCE = 50;
const RUNS = 100;

export const bench: Bench = {
  about: "listing 10,000 conversations",
  async measure() {
    return await withSubject({}, async ({ wire }) => {
      for (let made = 0; made < CONVERSATIONS; made += AT_ONCE) {
        const titles = Array.from({ length: AT_ONCE }, (_, n) => `Conversation ${made + n}`);
        await Promise.all(titles.map((title) => wire.post("/api/conversations", { title })));
      }
      const times: number[] = [];
      for (let run = 0; run < RUNS; run++) {
        const asked = performance.now();
        await wire.get("/api/conversations?limit=50");
        times.push(performance.now() - asked);
      }
      return [{
        name: "list of 10,000 conversations",
        value: median(times),
        unit: "ms",
        aim: 10,
        note: `the first 50; ${spread(times)}`,
      }];
    });
  },
};
