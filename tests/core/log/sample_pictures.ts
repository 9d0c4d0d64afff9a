/**
 * Small real pictures, and headers of the four types that are sent.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { crc32, deflateSync } from "node:zlib";

type Bytes = Uint8Array<ArrayBuffer>;

export interface PngOptions {
  /** Red, green and blue of every pixel. */
  readonly colour?: readonly [number, number, number];
  /** Grows the file to about so many bytes, with a chunk that decoders pass over. */
  readonly bytes?: number;
}

/** A PNG that any decoder takes. */
export function png(width: number, height: number, { colour = [40, 90, 160], bytes = 0 }: PngOptions = {}): Bytes {
  const row = Uint8Array.from([0, ...Array.from({ length: width }, () => colour).flat()]);
  const pixels = join(...Array.from({ length: height }, () => row));
  const head = join(u32(width), u32(height), Uint8Array.from([8, 2, 0, 0, 0]));
  const parts = [
    Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk("IHDR", head),
    chunk("IDAT", Uint8Array.from(deflateSync(pixels))),
  ];
  const rest = bytes - join(...parts).length - 24;
  if (rest > 0) parts.push(chunk("fiLl", new Uint8Array(rest)));
  return join(...parts, chunk("IEND", new Uint8Array()));
}

/** Only the header of a PNG, for sizes no test could hold. */
export function pngHeader(width: number, height: number): Bytes {
  const head = join(u32(width), u32(height), Uint8Array.from([8, 2, 0, 0, 0]));
  const signature = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return join(signature, chunk("IHDR", head), chunk("IEND", new Uint8Array()));
}

function chunk(type: string, data: Bytes): Bytes {
  const body = join(ascii(type), data);
  return join(u32(data.length), body, u32(crc32(Buffer.from(body))));
}

/** A JPEG as far as its frame; `orientation` as a camera writes it (EXIF), 6 is upright. */
export function jpeg(width: number, height: number, orientation?: number, little = false): Bytes {
  const size = Uint8Array.from([height >> 8, height & 255, width >> 8, width & 255]);
  const frame = join(Uint8Array.from([0xff, 0xc2, 0, 11, 8]), size, Uint8Array.from([1, 1, 0x11, 0]));
  const exif = orientation === undefined ? new Uint8Array() : exifSegment(orientation, little);
  const scan = Uint8Array.from([0xff, 0xda, 0, 8, 1, 1, 0, 0, 63, 0, 0x12, 0x34, 0xff, 0xd9]);
  const start = join(Uint8Array.from([0xff, 0xd8, 0xff, 0xe0, 0, 16]), ascii("JFIF\0"), new Uint8Array(9));
  return join(start, exif, Uint8Array.from([0xff, 0xff, 0xdb, 0, 3, 0]), frame, scan);
}

function exifSegment(orientation: number, little: boolean): Bytes {
  const view = new DataView(new ArrayBuffer(8 + 2 + 12 + 4));
  view.setUint16(0, little ? 0x4949 : 0x4d4d);
  view.setUint16(2, 42, little);
  view.setUint32(4, 8, little);
  view.setUint16(8, 1, little);
  view.setUint16(10, 0x0112, little);
  view.setUint16(12, 3, little);
  view.setUint32(14, 1, little);
  view.setUint16(18, orientation, little);
  const body = join(ascii("Exif\0\0"), new Uint8Array(view.buffer));
  return join(Uint8Array.from([0xff, 0xe1, 0, body.length + 2]), body);
}

/** The smallest GIF with these measures in its header. */
export function gif(width: number, height: number): Bytes {
  const size = Uint8Array.from([width & 255, width >> 8, height & 255, height >> 8]);
  return join(ascii("GIF89a"), size, Uint8Array.from([0, 0, 0, 0x3b]));
}

/** A WebP header of one of its three kinds. */
export function webp(kind: "VP8 " | "VP8L" | "VP8X", width: number, height: number): Bytes {
  const [w, h] = [width - 1, height - 1];
  const data = {
    "VP8 ": () =>
      Uint8Array.from([0, 0, 0, 0x9d, 0x01, 0x2a, width & 255, width >> 8, height & 255, height >> 8, 0, 0]),
    "VP8L": () => {
      const bits = (w | h << 14) >>> 0;
      return Uint8Array.from([0x2f, bits & 255, bits >> 8 & 255, bits >> 16 & 255, bits >>> 24, 0]);
    },
    "VP8X": () =>
      Uint8Array.from([0, 0, 0, 0, w & 255, w >> 8 & 255, w >> 16 & 255, h & 255, h >> 8 & 255, h >> 16 & 255]),
  }[kind]();
  const body = join(ascii("WEBP"), ascii(kind), u32(data.length).reverse(), data);
  return join(ascii("RIFF"), u32(body.length).reverse(), body);
}

/** Text as bytes, one for each character. */
export function ascii(text: string): Bytes {
  return Uint8Array.from(text, (letter) => letter.charCodeAt(0));
}

export function join(...parts: readonly Uint8Array[]): Bytes {
  return new Uint8Array(Buffer.concat(parts));
}

function u32(value: number): Bytes {
  return Uint8Array.from([value >>> 24, value >>> 16 & 255, value >>> 8 & 255, value & 255]);
}
