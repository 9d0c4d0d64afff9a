/**
 * Pictures from a model, where `MALAMA_IMAGE_MODEL` names one (K-171, K-324).
 *
 * @module
 */
import { defineToolset, tool, z } from "malama";
import { MEDIA } from "../core/media/mod.ts";
import { attempt, isOffered } from "./media/offered.ts";

/** `image`: makes pictures. */
export const image = defineToolset({
  name: "image",
  description: "Makes pictures from words, where MALAMA_IMAGE_MODEL names a model for it",
  tools: ({ service }) =>
    !isOffered(service, "image") ? [] : [
      tool({
        name: "generate_image",
        description: "Makes a picture from a description and shows it to the person and to you.",
        input: z.object({
          prompt: z.string().trim().min(1, "say what the picture should show").max(32_000).describe(
            "What the picture shows, in full sentences: subject, style, light, what to leave out",
          ),
          size: z.string().regex(/^\d{2,4}x\d{2,4}$|^auto$/, 'must be like "1024x1024"').optional().describe(
            'Width and height in pixels, such as "1024x1024"; the model\'s usual size when left out',
          ),
        }),
        timeoutSeconds: 300,
        run: (wanted, { service, signal }) =>
          attempt(async () => {
            const { bytes, mediaType, revisedPrompt } = await service(MEDIA).generateImage(wanted, signal);
            const asked = revisedPrompt === undefined
              ? ""
              : ` The model was asked for: ${JSON.stringify(revisedPrompt)}`;
            return {
              text: `The picture is attached, and the person sees it (${mediaType}, ${bytes.length} bytes).${asked}`,
              images: [{ media_type: mediaType, data: bytes, name: `picture.${mediaType.replace("image/", "")}` }],
            };
          }),
      }),
    ],
});
