/**
 * Keeps the exact request body of a round for the person to look at (K-306, K-308).
 *
 * @module
 */
import type { RoundData } from "../log/mod.ts";
import type { Blobs } from "../storage/mod.ts";

/** Bodies larger than this, in bytes, are counted but not kept. */
export const CAPTURE_LIMIT = 16 * 1024 * 1024;

export interface RequestCapture {
  /** Takes the body of an attempt; a later attempt replaces it. */
  take(body: string): void;
  /** Begins to store what was taken. Called once the answer has begun, so that its first words do not wait for a file. */
  store(): void;
  /** Resolves when what was taken is stored. A body that could not be kept is no reason to fail a turn. */
  done(): Promise<Pick<RoundData, "request_ref" | "request_bytes">>;
}

/** Begins capturing for a conversation; with `keep: false` only the size is noted. */
export function captureRequest(blobs: Blobs, conversation: string, keep: boolean): RequestCapture {
  let bytes: Uint8Array = new Uint8Array();
  let stored: Promise<string | null> | undefined;
  const store = () => {
    const isKept = keep && bytes.byteLength > 0 && bytes.byteLength <= CAPTURE_LIMIT;
    stored ??= isKept ? blobs.put(bytes, "application/json", conversation).catch(() => null) : Promise.resolve(null);
    return stored;
  };
  return {
    take(body) {
      bytes = new TextEncoder().encode(body);
      stored = undefined;
    },
    store,
    async done() {
      const hash = await store();
      return { ...(hash ? { request_ref: `/payloads/${hash}` } : {}), request_bytes: bytes.byteLength };
    },
  };
}
