/**
 * Text read aloud by a model, where `MALAMA_SPEECH_MODEL` names one (K-171, K-324).
 *
 * @module
 */
import { defineToolset, tool, z } from "malama";
import { DOWNLOADS } from "../core/downloads/mod.ts";
import { MEDIA, SPEECH_FORMATS } from "../core/media/mod.ts";
import { attempt, isOffered } from "./media/offered.ts";

/** `speech`: reads text aloud into a file. */
export const speech = defineToolset({
  name: "speech",
  description: "Reads text aloud into a sound file, where MALAMA_SPEECH_MODEL names a model for it",
  tools: ({ service }) =>
    !isOffered(service, "speech") ? [] : [
      tool({
        name: "speak",
        description: "Reads a text aloud into a sound file that the person can play.",
        input: z.object({
          text: z.string().trim().min(1, "say what to read aloud").max(20_000).describe(
            "What is read aloud, as it is to be said; many models take 4096 characters at most",
          ),
          voice: z.string().trim().min(1).max(100).default("alloy").describe("A voice the model has"),
          format: z.enum(SPEECH_FORMATS).default("mp3").describe("The kind of file"),
        }),
        timeoutSeconds: 180,
        run: (wanted, { service, signal }) =>
          attempt(async () => {
            const sound = await service(MEDIA).speak(wanted, signal);
            const words = (wanted.text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).slice(0, 5).join("-");
            const { path, link, bytes } = await service(DOWNLOADS).put(`speech-${words}.${wanted.format}`, [sound]);
            return `The recording is at ${link}, where the person can play or save it (${bytes} bytes; on the disk: ${path}).`;
          }),
      }),
    ],
});
