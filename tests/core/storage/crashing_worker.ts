/**
 * A worker that opens nothing and dies of the first write; it stands in for one that libSQL brought down.
 *
 * @module
 */
/// <reference lib="deno.worker" />
import type { RequestMessage } from "../../../core/storage/protocol.ts";

const scope = self as unknown as DedicatedWorkerGlobalScope;

scope.onmessage = ({ data: { id, request } }: MessageEvent<RequestMessage>) => {
  if (request.op === "open") scope.postMessage({ id, ok: true, value: { repaired: [], damage: null } });
  if (request.op === "write") throw new Error("out of luck");
};
