/**
 * One tab's end of the live socket.
 *
 * Invariants
 * 1. `hello` is the first frame; what happens while it is put together follows it ("hello comes first").
 * 2. Bad input is answered with `error` and the socket stays open ("bad JSON leaves the socket open").
 * 3. A `watch` is answered with the log from its cursor and then with what waits ("watch is told what waits").
 * 4. After it is closed, nothing here is held by the feed or the log ("a closed socket listens to nothing").
 *
 * All in tests/web/live_test.ts.
 *
 * @module
 */
import type { Assistant } from "../core/assistant.ts";
import { ConversationNotFound } from "../core/conversation/mod.ts";
import type { LogOperation } from "../core/log/mod.ts";
import { modelFacts, sourceOfDefault } from "../core/model/mod.ts";
import { ReadOnlyStorage, StorageClosed } from "../core/storage/mod.ts";
import type { Clock } from "./clock.ts";
import { Coalescer } from "./coalescer.ts";
import { requireConversation } from "./conversation_request.ts";
import { type ClientFrame, readFrame, writeFrames } from "./live_frame.ts";
import { Outbox } from "./outbox.ts";
import { problemOf } from "./problem.ts";
import type { Report } from "./services.ts";

/** The most conversations one socket may watch. */
export const MAX_WATCHES = 100;

/** Close codes of RFC 6455 as they are used here. */
export const CLOSE = { goingAway: 1001, refused: 1008, failed: 1011, tooSlow: 1013 } as const;

/** What a connection is made with. */
export interface ConnectionOptions {
  readonly assistant: Assistant;
  readonly clock: Clock;
  readonly report: Report;
  /** A hash of the shipped page. */
  readonly page: () => Promise<string>;
  readonly onClose: () => void;
  /** Called when it shows a conversation no longer. */
  readonly onUnwatch: () => void;
}

interface Watch {
  readonly after: number;
  stop: (() => void) | null;
  isEnded: boolean;
}

/** One open socket: greets it, hears it, and sends what it watches. */
export class LiveConnection {
  readonly #socket: WebSocket;
  readonly #options: ConnectionOptions;
  readonly #outbox: Outbox;
  readonly #coalescer: Coalescer;
  readonly #watches = new Map<string, Watch>();
  /** What came before `hello` was sent; `null` from then on. */
  #early: string[] | null = [];
  #isClosed = false;

  constructor(socket: WebSocket, options: ConnectionOptions) {
    this.#socket = socket;
    this.#options = options;
    this.#outbox = new Outbox(socket, options.clock, () => this.close(CLOSE.tooSlow, "Too slow to keep up"));
    this.#coalescer = new Coalescer((operation) => this.#sendOperation(operation), options.clock);
    socket.onopen = () => void this.#greet();
    socket.onmessage = ({ data }) => void this.#hear(data);
    socket.onclose = () => this.#end();
    socket.onerror = () => this.#end();
  }

  /** Sends a frame after `hello`. */
  send(frame: { readonly op: string; readonly [key: string]: unknown }): void {
    this.#push(JSON.stringify(frame));
  }

  /** Whether it shows this conversation. */
  isWatching(conversation: string): boolean {
    return this.#watches.has(conversation);
  }

  /** Tells of a sidebar row, and reads what the person is looking at. */
  tell(operation: Extract<LogOperation, { op: "conversation" | "conversation_removed" }>): void {
    if (operation.op === "conversation_removed") this.#unwatch(operation.conversation);
    else if (operation.conversation.unread && this.#watches.has(operation.conversation.id)) {
      void this.#markRead(operation.conversation.id);
    }
    this.#coalescer.push(operation);
  }

  /** Closes the socket, with a reason a page may show. */
  close(code: number, reason: string): void {
    this.#end();
    // A socket that is still connecting cannot be closed with a code; it is told as soon as it is open.
    if (this.#socket.readyState === WebSocket.CONNECTING) this.#socket.onopen = () => this.#socket.close(code, reason);
    else if (this.#socket.readyState === WebSocket.OPEN) this.#socket.close(code, reason);
  }

  #end(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const conversation of [...this.#watches.keys()]) this.#unwatch(conversation);
    this.#coalescer.close();
    this.#outbox.close();
    this.#options.onClose();
  }

  async #greet(): Promise<void> {
    const { assistant, page } = this.#options;
    try {
      const [rows, hash] = await Promise.all([assistant.conversations.list(), page()]);
      const { info, source } = assistant.defaultModel;
      this.#push(
        JSON.stringify({
          op: "hello",
          version: assistant.version,
          page: hash,
          ready: assistant.ready,
          conversations: rows.items,
          tasks: [],
          models: [{ ...modelFacts(info), source: sourceOfDefault(source), is_default: true }],
          approvals: assistant.approvals.waiting(),
        }),
        { isFirst: true },
      );
    } catch (error) {
      const { title, detail } = problemOf(error, this.#options.report);
      this.#push(JSON.stringify({ op: "error", title, detail }), { isFirst: true });
      this.close(CLOSE.failed, title);
    }
  }

  async #hear(data: unknown): Promise<void> {
    // The other side may go on speaking until it has answered our goodbye.
    if (this.#isClosed) return;
    const frame = readFrame(data);
    switch (frame.op) {
      case "watch":
        return await this.#watch(frame);
      case "unwatch":
        this.#unwatch(frame.conversation);
        return this.#options.onUnwatch();
      case "watch_graph":
        return this.#complain("No such terrarium", `No terrarium "${frame.graph}" is running`);
      case "ping":
        return this.send({ op: "pong" });
      case "pong":
        return;
      case "bad":
        return this.#complain("The frame is not right", frame.detail);
      default:
        return frame satisfies never;
    }
  }

  async #watch({ conversation, after }: Extract<ClientFrame, { op: "watch" }>): Promise<void> {
    this.#unwatch(conversation);
    if (this.#watches.size >= MAX_WATCHES) {
      return this.#complain("Too many watches", `One socket may watch ${MAX_WATCHES} conversations: unwatch one first`);
    }
    const watch: Watch = { after, stop: null, isEnded: false };
    this.#watches.set(conversation, watch);
    const { assistant } = this.#options;
    let knowsPending = false;
    try {
      await requireConversation(assistant, conversation);
      const stop = await assistant.log.watch(conversation, after, (operation) => {
        if (operation.op === "pending") knowsPending = true;
        if (!watch.isEnded) this.#coalescer.push(operation);
      });
      if (watch.isEnded) return stop();
      watch.stop = stop;
      const items = await assistant.turns.pending(conversation);
      // What was announced while this was read is newer.
      if (!watch.isEnded && !knowsPending) this.#coalescer.push({ op: "pending", conversation, items });
      await this.#markRead(conversation);
    } catch (error) {
      if (this.#watches.get(conversation) === watch) this.#unwatch(conversation);
      const { title, detail } = problemOf(error, this.#options.report);
      this.#complain(title, detail, conversation);
    }
  }

  #unwatch(conversation: string): void {
    const watch = this.#watches.get(conversation);
    if (!watch) return;
    watch.isEnded = true;
    watch.stop?.();
    this.#watches.delete(conversation);
    this.#coalescer.drop(conversation);
  }

  async #markRead(conversation: string): Promise<void> {
    try {
      await this.#options.assistant.conversations.markRead(conversation);
    } catch (error) {
      // A mark that cannot be kept is no reason to say anything: the store's state is told elsewhere.
      if (error instanceof ConversationNotFound || error instanceof ReadOnlyStorage || error instanceof StorageClosed) {
        return;
      }
      this.#options.report("WARNING", "live", `Cannot mark "${conversation}" as read: ${String(error)}`);
    }
  }

  #complain(title: string, detail: string, conversation?: string): void {
    this.send({ op: "error", title, detail, ...conversation !== undefined && { conversation } });
  }

  #sendOperation(operation: LogOperation): void {
    if (operation.op !== "entries") return this.#push(JSON.stringify(operation));
    const frames = writeFrames(operation, this.#watches.get(operation.conversation)?.after);
    for (const frame of frames) this.#push(frame, { isBulk: frames.length > 1 });
  }

  #push(frame: string, options: { isFirst?: boolean; isBulk?: boolean } = {}): void {
    if (options.isFirst) {
      this.#outbox.push(frame);
      const early = this.#early ?? [];
      this.#early = null;
      for (const later of early) this.#outbox.push(later, true);
      return;
    }
    if (this.#early) this.#early.push(frame);
    else this.#outbox.push(frame, options.isBulk);
  }
}
