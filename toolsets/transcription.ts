/**
 * Recordings written down by a model, where `MALAMA_TRANSCRIPTION_MODEL` names one (K-171, K-324).
 *
 * @module
 */
import { basename } from "node:path";
import { defineToolset, tool, z } from "malama";
import { FILES } from "../core/files/mod.ts";
import { AUDIO_BYTES, MEDIA } from "../core/media/mod.ts";
import { attempt, isOffered } from "./media/offered.ts";
import { fence } from "./fence.ts";

/** `transcription`: writes down what is said in recordings. */
export const transcription = defineToolset({
  name: "transcription",
  description: "Writes down what is said in a recording, where MALAMA_TRANSCRIPTION_MODEL names a model for it",
  tools: ({ service }) =>
    !isOffered(service, "transcription") ? [] : [
      tool({
        name: "transcribe_audio",
        description: `Writes down what is said in a sound file on this machine, of at most ${
          AUDIO_BYTES / 2 ** 20
        } MB.`,
        input: z.object({
          path: z.string().describe("The file, relative to the home folder or absolute"),
          language: z.string().regex(/^[a-z]{2,3}$/, 'must be the code of a language, such as "en"').optional()
            .describe(
              'The code of the language that is spoken, such as "en", where it is known',
            ),
        }),
        timeoutSeconds: 360,
        run: ({ path, language }, { service, signal }) =>
          attempt(async () => {
            const { shown, bytes } = await service(FILES).bytes(path, AUDIO_BYTES);
            if (bytes.length === 0) return `${shown} is empty.`;
            const recording = { bytes, name: basename(path), ...language !== undefined && { language } };
            const { text, language: heard, seconds } = await service(MEDIA).transcribe(recording, signal);
            if (text.trim() === "") return `Nothing was understood in ${shown}.`;
            const facts = [
              ...heard === undefined ? [] : [heard],
              ...seconds === undefined ? [] : [`${Math.round(seconds)} seconds`],
            ];
            return fence({
              source: { called: `the recording ${shown}` },
              before: facts.length === 0 ? [] : [facts.join(", ")],
              content: text,
            });
          }),
      }),
    ],
});
