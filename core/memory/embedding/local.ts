/**
 * Meaning without a network: a small English model in a worker of its own.
 *
 * Invariants (tests/core/memory/embedding/local_test.ts)
 * 1. Nothing is loaded before the first text, and the worker ends after five minutes without one.
 * 2. The worker may read files and nothing else: no network, no environment, no programs.
 * 3. A worker that dies fails the texts it had; the next ones get a new worker.
 *
 * @module
 */
import { embedByPieces, type Embedder, EmbeddingFailed, toUnit } from "./embedder.ts";
import type { LocalAnswer, LocalRequest } from "./local_worker.ts";

/** Characters of one piece: a text of 20 000 at once took 1.8 s. */
const PIECE = 1000;
const IDLE_MS = 5 * 60 * 1000;

export interface LocalEmbedderOptions {
  /** Starts the worker; a test puts another in its place. */
  readonly start?: () => Worker;
  /** Milliseconds without a text after which the worker ends. Default five minutes. */
  readonly idleMs?: number;
  /** Told when the worker starts and ends. */
  readonly onChange?: (running: boolean) => void;
}

interface Waiting {
  resolve(vector: Float32Array): void;
  reject(error: unknown): void;
}

export class LocalEmbedder implements Embedder {
  readonly model = "use-lite-en@0.2.0";
  readonly batch = 4;
  readonly #options: LocalEmbedderOptions;
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | null = null;
  #hasAnswered = false;
  #next = 1;
  #idle: ReturnType<typeof setTimeout> | null = null;

  constructor(options: LocalEmbedderOptions = {}) {
    this.#options = options;
  }

  embed(texts: readonly string[], signal?: AbortSignal): Promise<readonly Float32Array[]> {
    return embedByPieces(texts, {
      length: PIECE,
      batch: 1,
      embed: async (parts) => {
        signal?.throwIfAborted();
        return await Promise.all(parts.map((part) => this.#ask(part, signal)));
      },
    });
  }

  /** It was made for English, and knows nothing of other writing. */
  weightOf(text: string): number {
    const letters = text.match(/\p{L}/gu)?.length ?? 0;
    const latin = text.match(/\p{Script=Latin}/gu)?.length ?? 0;
    return latin * 2 >= letters ? 0.8 : 0.1;
  }

  close(): void {
    this.#end("it was closed");
  }

  #ask(text: string, signal?: AbortSignal): Promise<Float32Array> {
    const { promise, resolve, reject } = Promise.withResolvers<Float32Array>();
    const id = this.#next++;
    const abort = () => this.#settle(id)?.reject(signal?.reason);
    signal?.addEventListener("abort", abort, { once: true });
    this.#waiting.set(id, { resolve, reject });
    this.#running().postMessage({ id, text } satisfies LocalRequest);
    return promise.finally(() => signal?.removeEventListener("abort", abort));
  }

  #running(): Worker {
    if (this.#idle !== null) clearTimeout(this.#idle);
    this.#idle = null;
    return this.#worker ??= this.#start();
  }

  #start(): Worker {
    const worker = (this.#options.start ?? startWorker)();
    this.#hasAnswered = false;
    worker.onmessage = (event: MessageEvent<LocalAnswer>) => {
      this.#hasAnswered = true;
      this.#take(event.data);
    };
    worker.onerror = (event) => {
      event.preventDefault();
      if (this.#worker === worker) this.#end(event.message, this.#hasAnswered ? "failed" : "missing");
    };
    this.#options.onChange?.(true);
    return worker;
  }

  #take(answer: LocalAnswer): void {
    const waiting = this.#settle(answer.id);
    if ("vector" in answer) waiting?.resolve(toUnit(answer.vector));
    else waiting?.reject(new EmbeddingFailed(this.model, answer.missing ? "missing" : "failed", answer.failure));
  }

  /** Takes one out of those that wait; after the last one the worker is left alone for a while, and then ended. */
  #settle(id: number): Waiting | undefined {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (this.#waiting.size === 0 && this.#worker !== null) {
      if (this.#idle !== null) clearTimeout(this.#idle);
      this.#idle = setTimeout(() => this.#end("it was idle"), this.#options.idleMs ?? IDLE_MS);
      Deno.unrefTimer(this.#idle);
    }
    return waiting;
  }

  #end(why: string, kind: EmbeddingFailed["kind"] = "failed"): void {
    if (this.#idle !== null) clearTimeout(this.#idle);
    this.#idle = null;
    const worker = this.#worker;
    this.#worker = null;
    worker?.terminate();
    const left = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const waiting of left) waiting.reject(new EmbeddingFailed(this.model, kind, why));
    if (worker) this.#options.onChange?.(false);
  }
}

function startWorker(): Worker {
  return new Worker(import.meta.resolve("./local_worker.ts"), {
    type: "module",
    name: "malama-embedding",
    deno: {
      permissions: {
        read: true,
        write: false,
        net: false,
        env: false,
        run: false,
        ffi: false,
        sys: false,
        import: false,
      },
    },
  });
}
