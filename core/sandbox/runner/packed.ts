/**
 * Pictures in a tool's answer, as JSON can carry them.
 *
 * @module
 */

/** An answer whose pictures are text; every other answer as it is. */
export function packed(output: unknown): unknown {
  if (typeof output !== "object" || output === null || !("images" in output) || !Array.isArray(output.images)) {
    return output ?? null;
  }
  return {
    ...output,
    images: output.images.map((image) =>
      image?.data instanceof Uint8Array ? { ...image, data: { base64: image.data.toBase64() } } : image
    ),
  };
}

/** The answer as the tool gave it; `undefined` when a picture in it is none. */
export function unpacked(output: unknown): unknown {
  if (typeof output !== "object" || output === null || !("images" in output) || !Array.isArray(output.images)) {
    return output;
  }
  try {
    const images = output.images.map((image) =>
      typeof image?.data?.base64 === "string" ? { ...image, data: Uint8Array.fromBase64(image.data.base64) } : image
    );
    return { ...output, images };
  } catch {
    return undefined;
  }
}
