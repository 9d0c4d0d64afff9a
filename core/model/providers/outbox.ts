/**
 * The events a decoder has made since they were last taken: one array per network read.
 *
 * Adjacent pieces of the same thing are joined, because a read may hold hundreds of one-token frames and everything
 * downstream pays per event.
 *
 * Invariants
 * 1. Joining changes neither the order of events nor the text they add up to (tests/core/model/providers/outbox_test.ts).
 *
 * @module
 */
import type { ModelEvent } from "../contract.ts";

type Piece = "none" | "text" | "thinking" | "arguments";

/** Collects events; not an emitter, so that a decoder stays free of waiting. */
export class Outbox {
  #events: ModelEvent[] = [];
  #kind: Piece = "none";
  #call = "";
  #text = "";

  /** A piece of the answer; an empty one is dropped. */
  text(piece: string): void {
    this.#append("text", "", piece);
  }

  /** A piece of the thinking; an empty one is dropped. */
  thinking(piece: string): void {
    this.#append("thinking", "", piece);
  }

  /** A piece of a call's arguments; an empty one is dropped. */
  toolArguments(call: string, piece: string): void {
    this.#append("arguments", call, piece);
  }

  /** Any other event, as it is. */
  push(event: ModelEvent): void {
    this.#close();
    this.#events.push(event);
  }

  /** All events since the last call, oldest first. */
  take(): readonly ModelEvent[] {
    this.#close();
    const events = this.#events;
    if (events.length > 0) this.#events = [];
    return events;
  }

  #append(kind: Piece, call: string, piece: string): void {
    if (piece === "") return;
    if (kind !== this.#kind || call !== this.#call) {
      this.#close();
      this.#kind = kind;
      this.#call = call;
    }
    this.#text += piece;
  }

  #close(): void {
    const text = this.#text;
    switch (this.#kind) {
      case "none":
        return;
      case "text":
      case "thinking":
        this.#events.push({ type: this.#kind, text });
        break;
      case "arguments":
        this.#events.push({ type: "tool_arguments", call: this.#call, text });
        break;
      default:
        this.#kind satisfies never;
    }
    this.#kind = "none";
    this.#text = "";
  }
}
