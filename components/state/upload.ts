/**
 * A `fetch` that says how much of a body has gone out: the browser tells that of `XMLHttpRequest` alone.
 *
 * @module
 */

export interface UploadOptions {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Blob;
  /** Told the share that has gone out, from 0 to 1. */
  readonly onProgress: (share: number) => void;
  readonly signal?: AbortSignal;
}

/** Sends a body with POST and gives the answer. Rejects as `fetch` does: a `TypeError` when nothing answered. */
export function upload(address: string, options: UploadOptions): Promise<Response> {
  const { headers, body, onProgress, signal } = options;
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const request = new XMLHttpRequest();
    const abort = () => request.abort();
    request.open("POST", address);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.addEventListener("progress", ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0));
    request.addEventListener("load", () => resolve(answerOf(request)));
    request.addEventListener("error", () => reject(new TypeError("Nothing answered")));
    request.addEventListener("abort", () => reject(signal?.reason));
    request.addEventListener("loadend", () => signal?.removeEventListener("abort", abort));
    signal?.addEventListener("abort", abort, { once: true });
    request.send(body);
  });
}

function answerOf({ status, responseText }: XMLHttpRequest): Response {
  return new Response(status === 204 ? null : responseText, { status });
}
