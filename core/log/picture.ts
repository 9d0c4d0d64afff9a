/**
 * What a picture's own bytes say of it: its type and its size in pixels. Only headers are read, nothing is decoded.
 *
 * Invariants (tests/core/log/picture_test.ts)
 * 1. No bytes whatever make it throw, read outside of them, or take longer than one pass over them.
 * 2. What is given is one of the four types every provider takes, with a width and a height of at least 1.
 *
 * @module
 */

/** The media types of pictures that every provider takes. */
export const IMAGE_TYPES = ["image/png", "image/jpeg", "image/gif", "image/webp"] as const;

export type ImageType = typeof IMAGE_TYPES[number];

/** What the header of a picture says. */
export interface PictureHeader {
  readonly media_type: ImageType;
  /** In pixels, as it is shown: a photo that was taken upright is taller than wide. */
  readonly width: number;
  readonly height: number;
  /** Whether its end is there too; one that was cut short is refused by those who decode it. */
  readonly whole: boolean;
}

/** Reads the header, or gives `null` for bytes that are no PNG, JPEG, GIF or WebP. */
export function readPicture(bytes: Uint8Array): PictureHeader | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    const found = readPng(view) ?? readGif(view) ?? readWebp(view) ?? readJpeg(view);
    return found && found.width > 0 && found.height > 0 ? found : null;
  } catch (error) {
    // The header is cut short.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function readPng(view: DataView): PictureHeader | null {
  if (view.getUint32(0) !== 0x89504e47 || view.getUint32(4) !== 0x0d0a1a0a || !says(view, 12, "IHDR")) return null;
  return { media_type: "image/png", width: view.getUint32(16), height: view.getUint32(20), whole: endsPng(view) };
}

/** Walks the chunks to the one that says it is the last. */
function endsPng(view: DataView): boolean {
  for (let at = 8; at + 12 <= view.byteLength;) {
    const next = at + 12 + view.getUint32(at);
    if (says(view, at + 4, "IEND")) return next <= view.byteLength;
    at = next;
  }
  return false;
}

function readGif(view: DataView): PictureHeader | null {
  if (!says(view, 0, "GIF87a") && !says(view, 0, "GIF89a")) return null;
  let end = view.byteLength - 1;
  while (end > 13 && view.getUint8(end) === 0) end--;
  const whole = end >= 13 && view.getUint8(end) === 0x3b;
  return { media_type: "image/gif", width: view.getUint16(6, true), height: view.getUint16(8, true), whole };
}

function readWebp(view: DataView): PictureHeader | null {
  if (!says(view, 0, "RIFF") || !says(view, 8, "WEBP")) return null;
  const size = webpSize(view);
  const whole = view.getUint32(4, true) + 8 <= view.byteLength;
  return size && { media_type: "image/webp", ...size, whole };
}

function webpSize(view: DataView): { width: number; height: number } | null {
  if (says(view, 12, "VP8 ")) {
    if (view.getUint8(23) !== 0x9d || view.getUint16(24) !== 0x012a) return null;
    return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
  }
  if (says(view, 12, "VP8L")) {
    if (view.getUint8(20) !== 0x2f) return null;
    const bits = view.getUint32(21, true);
    return { width: (bits & 0x3fff) + 1, height: (bits >>> 14 & 0x3fff) + 1 };
  }
  if (!says(view, 12, "VP8X")) return null;
  const three = (at: number) => view.getUint16(at, true) + (view.getUint8(at + 2) << 16);
  return { width: three(24) + 1, height: three(27) + 1 };
}

/** The segments come one after the other, each with its length, up to the one that begins the frame. */
function readJpeg(view: DataView): PictureHeader | null {
  if (view.getUint16(0) !== 0xffd8 || view.getUint8(2) !== 0xff) return null;
  let turned = false;
  for (let at = 2; at < view.byteLength;) {
    if (view.getUint8(at) !== 0xff) return null;
    const marker = view.getUint8(at + 1);
    if (marker === 0xff) at++;
    else if (marker === 0x01 || marker >= 0xd0 && marker <= 0xd7) at += 2;
    else if (isFrame(marker)) {
      const [height, width] = [view.getUint16(at + 5), view.getUint16(at + 7)];
      const size = turned ? { width: height, height: width } : { width, height };
      return { media_type: "image/jpeg", ...size, whole: endsJpeg(view, at) };
    } else if (marker === 0xda || marker === 0xd9) return null;
    else {
      const length = view.getUint16(at + 2);
      if (length < 2) return null;
      if (marker === 0xe1 && says(view, at + 4, "Exif\0\0")) turned ||= isTurned(view, at + 10, at + 2 + length);
      at += 2 + length;
    }
  }
  return null;
}

/** The start of a frame: its data begins with the size. Three markers of this range are something else. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}

/** What a camera wrote after the end of the picture does not matter. */
function endsJpeg(view: DataView, from: number): boolean {
  for (let at = view.byteLength - 2; at > from; at--) {
    if (view.getUint8(at) === 0xff && view.getUint8(at + 1) === 0xd9) return true;
  }
  return false;
}

/** Whether the camera was held upright: the orientation of the first directory is 5 to 8. */
function isTurned(view: DataView, from: number, end: number): boolean {
  if (from + 8 > end || end > view.byteLength) return false;
  const little = view.getUint16(from) === 0x4949;
  const first = from + view.getUint32(from + 4, little);
  if (first + 2 > end) return false;
  const count = view.getUint16(first, little);
  for (let n = 0, at = first + 2; n < count && at + 12 <= end; n++, at += 12) {
    if (view.getUint16(at, little) !== 0x0112) continue;
    const orientation = view.getUint16(at + 8, little);
    return orientation >= 5 && orientation <= 8;
  }
  return false;
}

function says(view: DataView, at: number, text: string): boolean {
  if (at + text.length > view.byteLength) return false;
  for (let n = 0; n < text.length; n++) if (view.getUint8(at + n) !== text.charCodeAt(n)) return false;
  return true;
}
