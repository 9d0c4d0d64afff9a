/**
 * Small helpers (K section 6.2).
 *
 * @module
 */
import { defineToolset, tool, z } from "malama";

/** `misc`: an echo, to try that tools work. */
export const misc = defineToolset({
  name: "misc",
  description: "An echo, to try that tools work",
  tools: () => [
    tool({
      name: "echo",
      description: "Gives a text back as it is.",
      input: z.object({ text: z.string() }),
      run: ({ text }) => text,
    }),
  ],
});
