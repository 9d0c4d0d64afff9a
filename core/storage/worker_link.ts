/**
 * Requests to the storage worker and their answers.
 *
 * Invariants
 * 1. Every request is settled: answered, or rejected when the worker dies or the link is ended.
 * 2. A worker that dies is reported once, and every later request is rejected with the same cause.
 *
 * @module
 */
import { StorageFailed } from "./errors.ts";
import type {
  AnswerMessage,
  Answers,
  Failure,
  OpenReport,
  Request,
  RequestMessage,
  WorkerMessage,
} from "./protocol.ts";

interface Waiting {
  resolve(value: Answers[Request["op"]]): void;
  reject(error: unknown): void;
}

export interface WorkerLinkOptions {
  readonly worker: Worker;
  /** Turns what the worker says went wrong into the error a caller sees. */
  readonly toError: (failure: Failure) => Error;
  /** Told once when the worker dies by itself. */
  readonly onCrash: (error: StorageFailed) => void;
  /** Told what the worker found out after opening. */
  readonly onReport: (report: OpenReport) => void;
}

export class WorkerLink {
  readonly #worker: Worker;
  readonly #toError: (failure: Failure) => Error;
  readonly #waiting = new Map<number, Waiting>();
  #next = 0;
  #ended: Error | null = null;

  constructor({ worker, toError, onCrash, onReport }: WorkerLinkOptions) {
    this.#worker = worker;
    this.#toError = toError;
    worker.onmessage = ({ data }: MessageEvent<WorkerMessage>) => {
      if ("report" in data) onReport(data.report);
      else this.#settle(data);
    };
    const crash = (message: string, cause: unknown) => {
      if (this.#ended !== null) return;
      const error = new StorageFailed(`its worker ended (${message}); start Malama again`, null, { cause });
      this.end(error);
      onCrash(error);
    };
    worker.onerror = (event) => {
      event.preventDefault();
      crash(event.message, event.error);
    };
    worker.onmessageerror = () => crash("an answer could not be read", null);
  }

  /** Asks the worker; rejects with what `toError` makes of its failure. */
  ask<R extends Request>(request: R): Promise<Answers[R["op"]]> {
    if (this.#ended !== null) return Promise.reject(this.#ended);
    const id = this.#next++;
    const { promise, resolve, reject } = Promise.withResolvers<Answers[Request["op"]]>();
    this.#waiting.set(id, { resolve, reject });
    this.#worker.postMessage({ id, request } satisfies RequestMessage);
    return promise as Promise<Answers[R["op"]]>;
  }

  /** Ends the worker and rejects whatever still waits, and everything after, with `reason`. */
  end(reason: Error): void {
    if (this.#ended !== null) return;
    this.#ended = reason;
    this.#worker.terminate();
    for (const { reject } of this.#waiting.values()) reject(reason);
    this.#waiting.clear();
  }

  #settle(answer: AnswerMessage): void {
    const waiting = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    if (answer.ok) waiting?.resolve(answer.value);
    else waiting?.reject(this.#toError(answer.failure));
  }
}
