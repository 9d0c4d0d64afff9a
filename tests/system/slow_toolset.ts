/**
 * A toolset whose calls take as long as a test wants.
 *
 * @module
 */
import { defineToolset, tool, z } from "../../mod.ts";

/** `slow({ms})` waits and answers; it ends with its signal, as a tool should. */
export const slowToolset = defineToolset({
  name: "slow",
  description: "Waits",
  tools: () => [
    tool({
      name: "slow",
      description: "Waits so many milliseconds",
      input: z.object({ ms: z.number() }),
      run: ({ ms }, { signal }) => {
        const { promise, resolve, reject } = Promise.withResolvers<string>();
        const timer = setTimeout(() => resolve(`waited ${ms}`), ms);
        signal.addEventListener("abort", () => (clearTimeout(timer), reject(signal.reason)), { once: true });
        return promise;
      },
    }),
  ],
});
