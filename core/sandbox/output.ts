/**
 * What a child prints, up to a limit: both streams share it, and a quiet one lends its half to a loud one (K-330).
 *
 * Invariant: a child is read for as long as it lives, so that a full pipe never stops it, and never more than the limit is
 * held (tests/core/sandbox/command_test.ts).
 *
 * @module
 */
import type { Group } from "./process_group.ts";

/** One stream as it was kept. */
export interface Kept {
  readonly text: string;
  /** Bytes that were printed and are not in `text`. */
  readonly cutBytes: number;
}

/** Both streams of a child. */
export interface Printed {
  readonly stdout: Kept;
  readonly stderr: Kept;
}

/** How long after its end a child's pipes may stay open, in milliseconds: what left its group may hold them for ever. */
const PATIENCE_MS = 200;

/** Reads both streams of a group to their end, or to a moment after its own. */
export async function collect({ child, ended }: Group, limit: number): Promise<Printed> {
  const over = new AbortController();
  const patience = ended.then(() => setTimeout(() => over.abort(), PATIENCE_MS));
  const [out, err] = await Promise.all([
    head(child.stdout, limit, over.signal),
    head(child.stderr, limit, over.signal),
  ]);
  clearTimeout(await patience);
  const half = Math.floor(limit / 2);
  const forOut = Math.min(out.kept.byteLength, Math.max(half, limit - err.kept.byteLength));
  const forErr = Math.min(err.kept.byteLength, limit - forOut);
  return { stdout: cut(out, forOut), stderr: cut(err, forErr) };
}

interface Head {
  readonly kept: Uint8Array;
  readonly total: number;
}

async function head(stream: ReadableStream<Uint8Array>, limit: number, over: AbortSignal): Promise<Head> {
  const kept = new Uint8Array(limit);
  let size = 0;
  let total = 0;
  const reader = stream.getReader();
  over.addEventListener("abort", () => reader.cancel().catch(() => {}), { once: true });
  try {
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      total += piece.value.byteLength;
      const room = piece.value.subarray(0, limit - size);
      kept.set(room, size);
      size += room.byteLength;
    }
  } catch {
    // The pipe broke as the child was killed: what came before it counts.
  }
  return { kept: kept.subarray(0, size), total };
}

function cut({ kept, total }: Head, bytes: number): Kept {
  const text = new TextDecoder().decode(kept.subarray(0, wholeCharacters(kept, bytes)));
  return { text, cutBytes: total - bytes };
}

/** `bytes`, less the beginning of a character that is cut in two there. */
function wholeCharacters(data: Uint8Array, bytes: number): number {
  if (bytes >= data.byteLength) return bytes;
  let end = bytes;
  while (end > 0 && bytes - end < 4 && (data[end]! & 0xc0) === 0x80) end--;
  return end;
}
