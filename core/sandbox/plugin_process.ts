/**
 * One process of a third party's toolset, and the requests that are on their way to it.
 *
 * Invariants (tests/core/sandbox/plugin_host_test.ts)
 * 1. However the process ends, every request that waits for it is told why.
 * 2. A request that is stopped is over at once; a process that does not even hear of it is ended.
 * 3. What a process prints is read for as long as it lives, and held only up to a bound.
 *
 * @module
 */
import type { ChildEnd } from "./limits.ts";
import { LONGEST_LINE, MOST_GARBAGE, readResponse } from "./plugin_wire.ts";
import type { Group } from "./process_group.ts";

/** How long a process has to hear that a call was stopped, in milliseconds. */
const HEARING_MS = 250;

/** How much of the last it printed is told when it ends, in characters. */
const LAST_WORDS = 400;

/** A toolset's process ended, or answers what cannot be read; `message` says why. */
export class PluginFailed extends Error {
  override readonly name = "PluginFailed";
}

/** A toolset itself answered with an error, which is its `message`. */
export class PluginError extends Error {
  override readonly name = "PluginError";
}

interface Waiting {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** A running process. */
export class PluginProcess {
  readonly #group: Group;
  readonly #stdin: WritableStreamDefaultWriter<Uint8Array>;
  readonly #waiting = new Map<number, Waiting>();
  #next = 1;
  #garbage = 0;
  #printed = "";
  #fault: string | undefined;

  /** Resolves when the process is over, with why. */
  readonly ended: Promise<string>;

  constructor(group: Group) {
    this.#group = group;
    this.#stdin = group.child.stdin.getWriter();
    const reading = Promise.all([this.#readAnswers(), this.#readPrinted()]);
    this.ended = group.ended.then(async (end) => {
      // Its last words are still in the pipes, which what left its group may hold open.
      await Promise.race([reading, new Promise((resolve) => setTimeout(resolve, HEARING_MS))]);
      const why = this.#fault ?? endSentence(end, this.#printed);
      for (const { reject } of this.#waiting.values()) reject(new PluginFailed(why));
      this.#waiting.clear();
      return why;
    });
  }

  /** How many requests wait. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** Asks it. Throws `PluginFailed`, `PluginError`, and the signal's reason when that aborts. */
  async request(method: string, params: unknown, signal: AbortSignal): Promise<unknown> {
    signal.throwIfAborted();
    const id = this.#next++;
    const answered = new Promise<unknown>((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
    const stopped = Promise.withResolvers<never>();
    const stop = () => {
      stopped.reject(signal.reason);
      this.#send({ method: "cancel", params: { id } });
      const deaf = setTimeout(() => this.end("It did not answer any more and was ended"), HEARING_MS);
      answered.catch(() => {}).finally(() => clearTimeout(deaf));
    };
    signal.addEventListener("abort", stop, { once: true });
    this.#send({ id, method, params });
    try {
      return await Promise.race([answered, stopped.promise]);
    } finally {
      signal.removeEventListener("abort", stop);
    }
  }

  /** Ends it; `why` is told to what waits. */
  end(why: string): void {
    this.#fault ??= why;
    this.#group.kill();
  }

  #send(message: Readonly<Record<string, unknown>>): void {
    // One that is over takes nothing: `ended` tells what waits.
    this.#stdin.write(new TextEncoder().encode(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`)).catch(() => {});
  }

  async #readAnswers(): Promise<void> {
    let parts: Uint8Array[] = [];
    let size = 0;
    try {
      for await (const chunk of this.#group.child.stdout) {
        let rest = chunk;
        for (let at = rest.indexOf(10); at >= 0; at = rest.indexOf(10)) {
          parts.push(rest.subarray(0, at));
          this.#take(parts);
          parts = [];
          size = 0;
          rest = rest.subarray(at + 1);
        }
        if (this.#fault !== undefined) continue;
        if (rest.byteLength > 0) parts.push(rest);
        size += rest.byteLength;
        if (size > LONGEST_LINE) {
          parts = [];
          this.end(`It answered more than ${LONGEST_LINE / 1024 / 1024} MB at once and was ended`);
        }
      }
    } catch {
      // The pipe broke as the process was ended.
    }
  }

  #take(parts: readonly Uint8Array<ArrayBufferLike>[]): void {
    if (this.#fault !== undefined) return;
    const line = new TextDecoder().decode(joined(parts));
    const response = readResponse(line);
    const waiting = response && this.#waiting.get(response.id);
    if (!waiting) {
      // Of a call that was stopped, or written by the toolset itself: nobody waits for it.
      this.#garbage += response ? 0 : line.length + 1;
      if (this.#garbage > MOST_GARBAGE) this.end("It wrote to standard output what is no answer, and was ended");
      return;
    }
    this.#waiting.delete(response.id);
    if ("error" in response) waiting.reject(new PluginError(response.error.message));
    else waiting.resolve(response.result);
  }

  async #readPrinted(): Promise<void> {
    const decoder = new TextDecoder();
    try {
      for await (const chunk of this.#group.child.stderr) {
        this.#printed = (this.#printed + decoder.decode(chunk.subarray(-LAST_WORDS * 4), { stream: true })).slice(
          -LAST_WORDS,
        );
      }
    } catch {
      // The pipe broke as the process was ended.
    }
  }
}

function joined(parts: readonly Uint8Array<ArrayBufferLike>[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.byteLength, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.byteLength;
  }
  return whole;
}

function endSentence(end: ChildEnd, printed: string): string {
  const words = printed.trim() === "" ? "" : `; the last it printed: ${printed.trim()}`;
  switch (end.how) {
    case "memory":
      return "It needed more memory than it may have and was ended";
    case "time":
      return "It took too long and was ended";
    case "signal":
      return /out of memory/i.test(printed)
        ? "It needed more memory than it may have and was ended"
        : `Its process was ended by ${end.signal}${words}`;
    case "exit":
      return `Its process ended with exit code ${end.code}${words}`;
    default:
      return end satisfies never;
  }
}
