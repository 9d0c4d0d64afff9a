/**
 * Whether a file is text (T-151), and in which encoding.
 *
 * @module
 */
import { extname } from "node:path";

/** Bytes at the beginning that decide. */
export const LOOKED_AT = 8192;

/** Share of control characters from which bytes are no text. */
const CONTROL_SHARE = 0.1;

const BINARY_EXTENSIONS: ReadonlySet<string> = new Set(
  ("png jpg jpeg gif webp bmp ico tif tiff heic avif psd pdf doc docx xls xlsx ppt pptx odt ods odp epub zip gz bz2 xz zst " +
    "7z rar tar jar war class exe dll so dylib a o obj lib bin dat db sqlite sqlite3 wasm pyc pyo mp3 mp4 m4a m4v mov avi " +
    "mkv webm wav flac ogg opus aac woff woff2 ttf otf eot iso dmg deb rpm apk parquet npy npz onnx gguf safetensors")
    .split(" "),
);

/** Whether a file is no text, by its name and its beginning. An empty one is text. */
export function isBinary(path: string, beginning: Uint8Array): boolean {
  if (beginning.length === 0) return false;
  if (BINARY_EXTENSIONS.has(extname(path).slice(1).toLowerCase())) return true;
  if (markOf(beginning) !== null) return false;
  const looked = beginning.subarray(0, LOOKED_AT);
  if (looked.includes(0)) return true;
  return looked.filter(isControl).length > looked.length * CONTROL_SHARE;
}

/** All control characters but tab, line feed, form feed, carriage return and escape (colours in logs). */
function isControl(byte: number): boolean {
  return byte < 32 && ![9, 10, 12, 13, 27].includes(byte) || byte === 127;
}

/** The encodings that are read. */
export type TextEncoding = "utf-8" | "utf-16le" | "utf-16be" | "windows-1252";

/** What a byte order mark says, or `null` without one. */
export function markOf(bytes: Uint8Array): "utf-8" | "utf-16le" | "utf-16be" | null {
  const [first, second, third] = bytes;
  if (first === 0xef && second === 0xbb && third === 0xbf) return "utf-8";
  if (first === 0xff && second === 0xfe) return "utf-16le";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  return null;
}

/** The encoding of a text, by its mark or by whether its beginning is UTF-8. */
export function encodingOf(beginning: Uint8Array): TextEncoding {
  const marked = markOf(beginning);
  if (marked !== null) return marked;
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(beginning, { stream: true });
    return "utf-8";
  } catch {
    return "windows-1252";
  }
}
