/**
 * Writing and editing files (K section 17.4). Every call waits for a person as shipped (`[assistant.tools] confirm`).
 *
 * What may be reached, and that a file is only changed by an agent that has read it (T-149), is the door's concern
 * (`core/files`).
 *
 * @module
 */
import { defineToolset, tool, z } from "malama";
import { FILES } from "../core/files/mod.ts";
import { attempt, writtenText } from "./fs/answers.ts";

/** `fs_write`: writes and edits files. */
export const fsWrite = defineToolset({
  name: "fs_write",
  description: "Writing and editing text files on this machine",
  guidance:
    "Read a file before you change it: a file that you have not read in this conversation, or that changed since, is not " +
    "written. Prefer `edit_file` for a part of a file.",
  tools: () => [
    tool({
      name: "write_file",
      description:
        "Writes a whole text file: makes a new one with the folders it needs, or replaces one that you have read to its " +
        "end. To change a part of a file, take edit_file.",
      input: z.object({
        path: z.string().describe("The file"),
        content: z.string().describe("The whole text; line ends become those the file had"),
      }),
      concurrent: false,
      run: ({ path, content }, { service, conversation, agent }) =>
        attempt(async () => writtenText(await service(FILES).write({ conversation, agent }, path, content))),
    }),

    tool({
      name: "edit_file",
      description:
        "Replaces one passage of a text file that you have read. The passage has to stand there exactly once.",
      input: z.object({
        path: z.string().describe("The file"),
        old_text: z.string().describe(
          "The passage as it stands, character by character, with enough around it to be the only one",
        ),
        new_text: z.string().describe("What stands there afterwards; empty removes the passage"),
      }),
      concurrent: false,
      run: ({ path, old_text, new_text }, { service, conversation, agent }) =>
        attempt(async () =>
          writtenText(await service(FILES).edit({ conversation, agent }, path, { old: old_text, fresh: new_text }))
        ),
    }),
  ],
});
