/**
 * Ties one response to a signal and a stall timer.
 *
 * Deno 2.9.6 stops heeding the signal of a fetch once its `Response` has been garbage collected, even while its body is
 * being read (FACTS C2.4). So the response is held here as long as the exchange lasts, and an abort cancels the body's
 * reader by hand.
 *
 * @module
 */
import { Fault } from "./fault.ts";

/** Owns the socket of one exchange. */
export class SocketGuard {
  readonly #outer: AbortSignal;
  readonly #stallMs: number;
  readonly #controller = new AbortController();
  readonly #onAbort = () => this.#controller.abort(this.#outer.reason);
  /** Kept so that it is not collected; see above. */
  #response: Response | undefined;
  #reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  #stalled = false;
  /** When the current wait began, on the clock of `performance.now()`. */
  #waitingSince: number | undefined;
  /** One for the whole exchange, set anew only when it fires: a timer for each read would cost more than the read. */
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `stallMs` is how long a single wait may last. Throws the signal's reason when it is aborted already. */
  constructor(outer: AbortSignal, stallMs: number) {
    outer.throwIfAborted();
    this.#outer = outer;
    this.#stallMs = stallMs;
    outer.addEventListener("abort", this.#onAbort, { once: true });
    this.#controller.signal.addEventListener("abort", () => this.#cancel(), { once: true });
  }

  /** For the fetch: aborts with the outer signal and on a stall. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Takes charge of a response's body. */
  hold(response: Response): void {
    this.#response = response;
    this.#reader = response.body?.getReader();
    if (this.#controller.signal.aborted) this.#cancel();
  }

  /** The next bytes, `undefined` at the end. Throws `Fault` (`stalled`, `broken`) or the signal's reason. */
  async read(): Promise<Uint8Array | undefined> {
    if (this.#reader === undefined) return undefined;
    // An abort cancels the reader, which ends this wait, so no race is needed for each read.
    const { done, value } = await this.#timed(this.#reader.read());
    return done ? undefined : value;
  }

  /** Waits for a promise no longer than a stall and no longer than the signal. */
  wait<T>(promise: Promise<T>): Promise<T> {
    const { signal } = this.#controller;
    let onAbort = () => {};
    const aborted = new Promise<never>((_, reject) => {
      onAbort = () => reject(signal.reason);
      signal.addEventListener("abort", onAbort, { once: true });
    });
    return this.#timed(Promise.race([promise, aborted]).finally(() => signal.removeEventListener("abort", onAbort)));
  }

  /** Reads and drops what is left of a finished answer, so that the connection can be used again, but not for long. */
  async drain(milliseconds: number): Promise<void> {
    const timer = setTimeout(() => this.#cancel(), milliseconds);
    try {
      while (await this.#reader?.read().then(({ done }) => !done, () => false)) { /* only the end matters */ }
    } finally {
      clearTimeout(timer);
    }
  }

  /** Throws the outer signal's reason when it is aborted. */
  throwIfAborted(): void {
    this.#outer.throwIfAborted();
  }

  /** Closes the socket unless the body was read to its end. */
  close(): void {
    clearTimeout(this.#timer);
    this.#outer.removeEventListener("abort", this.#onAbort);
    this.#controller.abort();
    this.#cancel();
    this.#response = undefined;
  }

  async #timed<T>(promise: Promise<T>): Promise<T> {
    this.#waitingSince = performance.now();
    this.#timer ??= setTimeout(this.#check, this.#stallMs);
    try {
      const value = await promise;
      this.#throwIfEnded();
      return value;
    } catch (cause) {
      this.#throwIfEnded();
      throw cause instanceof Fault ? cause : networkFault(cause);
    } finally {
      this.#waitingSince = undefined;
    }
  }

  /** Ends a wait that is too long; else looks again when the current one would be. */
  readonly #check = () => {
    const waited = this.#waitingSince === undefined ? 0 : performance.now() - this.#waitingSince;
    if (waited < this.#stallMs) {
      this.#timer = setTimeout(this.#check, Math.ceil(this.#stallMs - waited));
      return;
    }
    this.#stalled = true;
    this.#controller.abort();
  };

  #throwIfEnded(): void {
    this.#outer.throwIfAborted();
    if (this.#stalled) throw new Fault("stalled");
  }

  #cancel(): void {
    if (this.#reader !== undefined) this.#reader.cancel().catch(() => {});
    else this.#response?.body?.cancel().catch(() => {});
  }
}

/** Whether a connection was made at all is only told in the text of the error's cause. */
function networkFault(cause: unknown): Fault {
  const text = `${cause instanceof Error ? `${cause.message} ${cause.cause ?? ""}` : cause}`;
  const connecting = /\(Connect\)|refused|dns error|lookup|certificate|invalid url|unreachable/i.test(text);
  const detail = /\(Connect\): (.{1,200})/.exec(text)?.[1] ?? "";
  return new Fault(connecting ? "no_connection" : "broken", { cause, detail });
}
