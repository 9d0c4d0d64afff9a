/**
 * The live socket, kept open: when it is lost it is opened again, after half a second at first and ten at most.
 *
 * Invariants (tests/cli/live_connection_test.ts pins each)
 * 1. `opened` is called after each `hello`, before any other operation of that socket, so watchers resume from cursors.
 * 2. After `close()` nothing is called and no socket or timer is left.
 *
 * @module
 */
import { pause } from "./pause.ts";
import type { LiveOperation } from "./wire.ts";

export interface LiveListener {
  /** The server said hello; whoever watches sends its `watch` now. */
  opened(hello: Extract<LiveOperation, { op: "hello" }>): void;
  operation(operation: LiveOperation): void;
  /** The connection is gone, or could not be made; the next try is in so many seconds. */
  lost(seconds: number): void;
}

export interface LiveConnectionOptions {
  /** Finds the server and gives a socket that is being opened. */
  readonly connect: () => Promise<WebSocket>;
  readonly listener: LiveListener;
  /** First and longest pause between tries, in milliseconds. */
  readonly pauses?: readonly [first: number, longest: number];
}

export class LiveConnection {
  readonly #options: LiveConnectionOptions;
  readonly #ending = new AbortController();
  readonly #done: Promise<void>;
  #socket: WebSocket | null = null;

  constructor(options: LiveConnectionOptions) {
    this.#options = options;
    this.#done = this.#keepOpen();
  }

  /** Sends one operation; `false` when there is no connection to send it on. */
  send(operation: Readonly<Record<string, unknown>>): boolean {
    if (this.#socket?.readyState !== WebSocket.OPEN) return false;
    this.#socket.send(JSON.stringify(operation));
    return true;
  }

  async close(): Promise<void> {
    this.#ending.abort();
    await this.#done;
  }

  async #keepOpen(): Promise<void> {
    const { signal } = this.#ending;
    const [first, longest] = this.#options.pauses ?? [500, 10_000];
    let delay = first;
    while (!signal.aborted) {
      if (await this.#serveOne(signal)) delay = first;
      if (signal.aborted) return;
      this.#options.listener.lost(delay / 1000);
      await pause(delay, signal);
      delay = Math.min(delay * 2, longest);
    }
  }

  /** One socket from its opening to its end; `true` when the server said hello on it. */
  async #serveOne(signal: AbortSignal): Promise<boolean> {
    let socket: WebSocket;
    try {
      socket = await this.#options.connect();
    } catch {
      return false;
    }
    let greeted = false;
    const end = () => socket.close();
    signal.addEventListener("abort", end);
    this.#socket = socket;
    await new Promise<void>((resolve) => {
      socket.onopen = () => signal.aborted && socket.close();
      socket.onclose = () => resolve();
      socket.onerror = () => resolve();
      socket.onmessage = (message) => {
        const operation = signal.aborted ? null : parse(message.data);
        if (operation === null) return;
        if (operation.op === "hello") {
          greeted = true;
          this.#options.listener.opened(operation);
        } else this.#options.listener.operation(operation);
      };
      if (signal.aborted) end();
    });
    signal.removeEventListener("abort", end);
    this.#socket = null;
    return greeted;
  }
}

/** An operation, or `null` for what is none; operations that are not known are the listener's to ignore. */
function parse(data: unknown): LiveOperation | null {
  try {
    const operation: unknown = JSON.parse(String(data));
    const named = typeof operation === "object" && operation !== null && "op" in operation;
    return named && typeof operation.op === "string" ? operation as LiveOperation : null;
  } catch {
    return null;
  }
}
