/**
 * What goes out on one socket, paced by how fast the other side reads.
 *
 * A socket takes whatever it is given and keeps it in memory, for ever if nobody reads (FACTS A6), so the bounds are ours:
 * live frames that wait may add up to 1 MiB. What a client asked for itself (the catching up after a `watch`) may be
 * larger than that; it is handed over piece by piece and does not count, but must keep moving.
 *
 * Invariants
 * 1. Frames leave in the order they came ("keeps the order of live and bulk frames").
 * 2. A reader whose backlog passes 1 MiB, or who takes nothing for 20 s, is dropped once, and nothing is sent after that
 *    ("drops a reader past 1 MiB", "drops a reader who stopped").
 *
 * Both in tests/web/outbox_test.ts.
 *
 * @module
 */
import type { Clock } from "./clock.ts";

/** The most that may wait for a slow reader, in bytes. */
export const MAX_BACKLOG_BYTES = 1024 * 1024;
/** Above this many bytes in the socket, further frames wait here. */
const HIGH_WATER_BYTES = 256 * 1024;
const PUMP_MS = 10;
const STALL_MS = 20_000;

/** The part of a `WebSocket` that is used. */
export interface FrameSink {
  readonly bufferedAmount: number;
  send(frame: string): void;
}

interface Frame {
  readonly text: string;
  readonly isBulk: boolean;
}

/** The frames of one socket that have not left yet. */
export class Outbox {
  readonly #sink: FrameSink;
  readonly #clock: Clock;
  readonly #onSlow: () => void;
  #frames: Frame[] = [];
  #next = 0;
  #liveBytes = 0;
  /** How much of what is in the socket is bulk, at most. */
  #bulkInSocket = 0;
  #lastBuffered = 0;
  #movedAt: number;
  #cancelPump: (() => void) | null = null;
  #isClosed = false;

  /** `onSlow` is called once, when the reader is given up. */
  constructor(sink: FrameSink, clock: Clock, onSlow: () => void) {
    this.#sink = sink;
    this.#clock = clock;
    this.#onSlow = onSlow;
    this.#movedAt = clock.now();
  }

  /** Sends a frame, or keeps it until the ones before it have left. */
  push(text: string, isBulk = false): void {
    if (this.#isClosed) return;
    const frame = { text, isBulk: isBulk || text.length > HIGH_WATER_BYTES };
    this.#frames.push(frame);
    if (!frame.isBulk) this.#liveBytes += text.length;
    this.#pump();
    if (!this.#isClosed && this.#backlog() > MAX_BACKLOG_BYTES) this.#giveUp();
  }

  close(): void {
    this.#isClosed = true;
    this.#cancelPump?.();
    this.#frames = [];
  }

  #pump(): void {
    const buffered = this.#observe();
    if (buffered > 0 && this.#clock.now() - this.#movedAt > STALL_MS) return this.#giveUp();
    while (this.#next < this.#frames.length && this.#sink.bufferedAmount <= HIGH_WATER_BYTES) {
      const frame = this.#frames[this.#next++]!;
      if (frame.isBulk) this.#bulkInSocket += frame.text.length;
      else this.#liveBytes -= frame.text.length;
      this.#sink.send(frame.text);
    }
    if (this.#next === this.#frames.length) {
      this.#frames = [];
      this.#next = 0;
    } else {
      this.#cancelPump ??= this.#clock.after(PUMP_MS, () => {
        this.#cancelPump = null;
        this.#pump();
      });
    }
    this.#lastBuffered = this.#sink.bufferedAmount;
  }

  /** Notes whether the reader took something since the last look. */
  #observe(): number {
    const buffered = this.#sink.bufferedAmount;
    if (buffered < this.#lastBuffered || buffered === 0) this.#movedAt = this.#clock.now();
    this.#lastBuffered = buffered;
    this.#bulkInSocket = Math.min(this.#bulkInSocket, buffered);
    return buffered;
  }

  #backlog(): number {
    return this.#liveBytes + Math.max(0, this.#sink.bufferedAmount - this.#bulkInSocket);
  }

  #giveUp(): void {
    this.close();
    this.#onSlow();
  }
}
