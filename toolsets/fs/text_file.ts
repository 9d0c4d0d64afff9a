/**
 * Files as text: what is text and what is not, and a window of lines without loading the whole (T-151).
 *
 * @module
 */

/** How much of a file is looked at to tell text from other data, in bytes. */
const PROBE_BYTES = 8192;

/** The longest line that is shown whole, in characters. */
const LONGEST_LINE = 2000;

/** A window of a text file. */
export interface Window {
  readonly lines: readonly string[];
  /** Whether lines follow. */
  readonly goesOn: boolean;
  /** How many lines there are before the window and in it. */
  readonly seen: number;
}

/** Whether these are the first bytes of something that is not text: a NUL, or many control characters (T-151). */
export function looksBinary(bytes: Uint8Array): boolean {
  if (hasUtf16Mark(bytes)) return false;
  const probe = bytes.subarray(0, PROBE_BYTES);
  const controls = probe.reduce((sum, byte) => sum + (byte < 32 && ![9, 10, 12, 13, 27].includes(byte) ? 1 : 0), 0);
  return probe.includes(0) || controls > probe.length / 10;
}

function hasUtf16Mark(bytes: Uint8Array): boolean {
  return bytes[0] === 0xff && bytes[1] === 0xfe || bytes[0] === 0xfe && bytes[1] === 0xff;
}

/** The first bytes of a file. */
export async function probe(path: string): Promise<Uint8Array> {
  using file = await Deno.open(path);
  const bytes = new Uint8Array(PROBE_BYTES);
  const read = await file.read(bytes) ?? 0;
  return bytes.subarray(0, read);
}

/** Lines `first` (from 1) to `first + count - 1`. `head` are the file's first bytes. */
export async function readWindow(path: string, head: Uint8Array, first: number, count: number): Promise<Window> {
  const encoding = head[0] === 0xff && head[1] === 0xfe ? "utf-16le" : head[0] === 0xfe ? "utf-16be" : "utf-8";
  const file = await Deno.open(path);
  const lines: string[] = [];
  let seen = 0;
  for await (const line of linesOf(file.readable.pipeThrough(new TextDecoderStream(encoding)))) {
    if (seen === first + count - 1) return { lines, goesOn: true, seen };
    seen++;
    if (seen >= first) lines.push(line);
  }
  return { lines, goesOn: false, seen };
}

/** Lines without their ends; a very long one is cut, and says so, so that one line cannot fill the memory. */
async function* linesOf(text: ReadableStream<string>): AsyncGenerator<string> {
  let line = "";
  let length = 0;
  const add = (piece: string) => {
    length += piece.length;
    line += piece.slice(0, Math.max(0, LONGEST_LINE - line.length));
  };
  const take = () => {
    const cut = length > line.length ? ` [cut here: the line has ${length} characters]` : "";
    const taken = line.replace(/\r$/, "") + cut;
    line = "";
    length = 0;
    return taken;
  };
  for await (const chunk of text) {
    const parts = chunk.split("\n");
    for (const [index, part] of parts.entries()) {
      add(part);
      if (index < parts.length - 1) yield take();
    }
  }
  if (length > 0) yield take();
}
