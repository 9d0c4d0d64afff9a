/**
 * The one live socket of a tab: it stays open, comes back by itself, and says how it stands (K-271).
 *
 * Invariants (tests/components/state/live_socket_test.ts pins each)
 * 1. At most one socket is open or opening at a time.
 * 2. After a loss the next try is 0.5 s later, then twice as long each time, up to 10 s; only a socket that was greeted
 *    resets that.
 * 3. A socket that says nothing for 45 s is asked; one that does not answer within 10 s is given up. One that is doubted
 *    is asked at once and given up after 3 s.
 *
 * @module
 */

/** How the socket stands. `retryAt` is a time in milliseconds. */
export type Connection =
  | { readonly state: "connecting" }
  | { readonly state: "live" }
  | { readonly state: "waiting"; readonly retryAt: number };

/** A frame from the server, still unknown but for its `op`. */
export interface Frame {
  readonly op: string;
  readonly [key: string]: unknown;
}

/** The parts of the world it needs; tests give their own. */
export interface SocketWorld {
  readonly open: (url: string) => WebSocket;
  readonly now: () => number;
  /** Calls `then` once after `ms`; the function it gives back takes that back. */
  readonly after: (ms: number, then: () => void) => () => void;
}

/** The browser's own. */
export const browserWorld: SocketWorld = {
  open: (url) => new WebSocket(url),
  now: () => Date.now(),
  after: (ms, then) => {
    const timer = setTimeout(then, ms);
    return () => clearTimeout(timer);
  },
};

const FIRST_DELAY = 500;
const LONGEST_DELAY = 10_000;
const SILENCE = 45_000;
const ANSWER = 10_000;
const DOUBTED_ANSWER = 3000;

export interface LiveSocketOptions {
  readonly url: string;
  readonly world: SocketWorld;
  readonly onConnection: (connection: Connection) => void;
  /** Called for each frame, in order. */
  readonly onFrame: (frame: Frame) => void;
}

export class LiveSocket {
  readonly #options: LiveSocketOptions;
  #socket: WebSocket | null = null;
  #delay = FIRST_DELAY;
  #retry: (() => void) | null = null;
  #watchdog: (() => void) | null = null;
  #closed = false;

  constructor(options: LiveSocketOptions) {
    this.#options = options;
  }

  /** Opens the socket now, whatever the backoff says; nothing when it is open or opening already. */
  connect(): void {
    if (this.#socket || this.#closed) return;
    this.#cancelRetry();
    this.#options.onConnection({ state: "connecting" });
    const socket = this.#open();
    if (!socket) return this.#lost(null);
    this.#socket = socket;
    this.#watch();
    socket.onmessage = (event) => this.#heard(socket, event.data);
    socket.onclose = () => this.#lost(socket);
    socket.onerror = () => {};
  }

  /** Sends when it is open; what is asked while it is not must be asked again after the next `hello`. */
  send(message: Readonly<Record<string, unknown>>): boolean {
    if (this.#socket?.readyState !== 1) return false;
    this.#socket.send(JSON.stringify(message));
    return true;
  }

  /** Something else could not reach the server: a socket that looks open has to answer now. */
  doubt(): void {
    if (this.#socket?.readyState !== 1) return;
    this.#unwatch();
    this.#ask(DOUBTED_ANSWER);
  }

  /** Ends it for good. */
  close(): void {
    this.#closed = true;
    this.#cancelRetry();
    this.#unwatch();
    this.#socket?.close(1000);
    this.#socket = null;
  }

  #open(): WebSocket | null {
    try {
      return this.#options.world.open(this.#options.url);
    } catch {
      return null;
    }
  }

  #heard(socket: WebSocket, data: unknown): void {
    if (socket !== this.#socket) return;
    this.#watch();
    const frame = parse(data);
    if (!frame) return;
    if (frame.op === "hello") {
      this.#delay = FIRST_DELAY;
      this.#options.onConnection({ state: "live" });
    }
    this.#options.onFrame(frame);
  }

  #lost(socket: WebSocket | null): void {
    if (socket !== this.#socket || this.#closed) return;
    this.#socket = null;
    this.#unwatch();
    const { world, onConnection } = this.#options;
    const delay = this.#delay;
    this.#delay = Math.min(LONGEST_DELAY, delay * 2);
    onConnection({ state: "waiting", retryAt: world.now() + delay });
    this.#retry = world.after(delay, () => {
      this.#retry = null;
      this.connect();
    });
  }

  /** Starts the clock of silence anew. */
  #watch(): void {
    this.#unwatch();
    this.#watchdog = this.#options.world.after(SILENCE, () => this.#ask(ANSWER));
  }

  /** Any frame is an answer. */
  #ask(patience: number): void {
    const socket = this.#socket;
    this.send({ op: "ping" });
    this.#watchdog = this.#options.world.after(patience, () => {
      if (!socket || socket !== this.#socket) return;
      socket.close();
      this.#lost(socket);
    });
  }

  #unwatch(): void {
    this.#watchdog?.();
    this.#watchdog = null;
  }

  #cancelRetry(): void {
    this.#retry?.();
    this.#retry = null;
  }
}

function parse(data: unknown): Frame | null {
  if (typeof data !== "string") return null;
  try {
    const frame = JSON.parse(data);
    return typeof frame === "object" && frame !== null && typeof frame.op === "string" ? frame : null;
  } catch {
    return null;
  }
}
