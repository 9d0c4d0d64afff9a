/**
 * The live hub: every open socket, what all of them hear, and when they end.
 *
 * @module
 */
import type { Assistant } from "../core/assistant.ts";
import type { LogOperation } from "../core/log/mod.ts";
import { type Clock, systemClock } from "./clock.ts";
import { EndedTurns } from "./ended_turns.ts";
import { UnwatchedQuestions } from "./unwatched_questions.ts";
import { CLOSE, LiveConnection } from "./live_connection.ts";
import type { Report } from "./services.ts";

/** How often a socket hears from us when nothing happens: less than any proxy's patience. */
export const PING_MS = 20_000;

/** What the hub is made with. */
export interface LiveHubOptions {
  readonly assistant: Assistant;
  readonly report: Report;
  /** A hash of the shipped page: a tab that holds another reloads. */
  readonly page: () => Promise<string>;
  readonly clock?: Clock;
}

/** Holds the open sockets of one server. */
export class LiveHub {
  readonly #options: LiveHubOptions;
  readonly #clock: Clock;
  /** The open sockets with the session each came in with. */
  readonly #connections = new Map<LiveConnection, string | null>();
  readonly #ended = new EndedTurns();
  readonly #questions = new UnwatchedQuestions();
  readonly #unsubscribe: () => void;
  #isClosed = false;
  #cancelPing: () => void;

  constructor(options: LiveHubOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    const { approvals, feed } = options.assistant;
    const unattend = approvals.attend((conversation) => this.isWatched(conversation));
    const unhear = approvals.subscribe((items) => {
      this.#broadcast({ op: "approvals", items });
      this.#tellWaiting();
    });
    const unsubscribe = feed.subscribe((operation) => {
      this.#tellEnded(operation);
      if (operation.op !== "conversation" && operation.op !== "conversation_removed") return;
      for (const connection of [...this.#connections.keys()]) connection.tell(operation);
    });
    this.#unsubscribe = () => [unattend, unhear, unsubscribe].forEach((end) => end());
    this.#cancelPing = this.#schedulePing();
    options.assistant.started.then(() => this.#broadcast({ op: "ready" }), () => {});
  }

  /** How many sockets are open. */
  get size(): number {
    return this.#connections.size;
  }

  /** Whether some open socket shows this conversation. */
  isWatched(conversation: string): boolean {
    return [...this.#connections.keys()].some((connection) => connection.isWatching(conversation));
  }

  /** Takes a socket over. `session` is the browser session it came in with. */
  accept(socket: WebSocket, session: string | null): void {
    const { assistant, report, page } = this.#options;
    const connection: LiveConnection = new LiveConnection(socket, {
      assistant,
      report,
      page,
      clock: this.#clock,
      onClose: () => {
        this.#connections.delete(connection);
        this.#tellWaiting();
      },
      onUnwatch: () => this.#tellWaiting(),
    });
    this.#connections.set(connection, session);
  }

  /** Closes the sockets of a session that was signed out. */
  endSession(session: string): void {
    for (const [connection, own] of [...this.#connections]) {
      if (own === session) connection.close(CLOSE.refused, "Signed out");
    }
  }

  /** Closes every socket: the token it came in with holds no longer. */
  endAllSessions(): void {
    this.#closeAll(CLOSE.refused, "Signed out");
  }

  /** Says goodbye to every socket and listens no longer. */
  close(): void {
    this.#isClosed = true;
    this.#unsubscribe();
    this.#cancelPing();
    this.#closeAll(CLOSE.goingAway, "Malama is stopping");
  }

  /** A turn that ended while somebody looked at it is told to nobody: what is in view needs no alert. */
  #tellEnded(operation: LogOperation): void {
    const alert = this.#ended.take(operation);
    if (!alert) return;
    if (!this.isWatched(alert.conversation)) this.#broadcast(alert);
  }

  /** A question that waits where nobody looks is told to everybody, once. */
  #tellWaiting(): void {
    if (this.#isClosed || this.#connections.size === 0) return;
    const waiting = this.#options.assistant.approvals.waiting();
    for (const alert of this.#questions.take(waiting, (id) => this.isWatched(id))) this.#broadcast(alert);
  }

  #closeAll(code: number, reason: string): void {
    for (const connection of [...this.#connections.keys()]) connection.close(code, reason);
  }

  #broadcast(frame: { readonly op: string; readonly [key: string]: unknown }): void {
    for (const connection of [...this.#connections.keys()]) connection.send(frame);
  }

  #schedulePing(): () => void {
    return this.#clock.after(PING_MS, () => {
      this.#broadcast({ op: "ping" });
      this.#cancelPing = this.#schedulePing();
    });
  }
}
