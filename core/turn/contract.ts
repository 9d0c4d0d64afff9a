/**
 * What the rest of the house asks of turns.
 *
 * @module
 */
import type { Thinking, Turn } from "../log/mod.ts";

/** A message as it comes in from a person or a program. */
export interface IncomingMessage {
  readonly text: string;
  /** Makes it idempotent: the same token never runs twice, also across a restart. */
  readonly token?: string;
  readonly images?: readonly {
    readonly name: string;
    readonly media_type: string;
    readonly data: Uint8Array<ArrayBuffer>;
  }[];
  readonly thinking?: Thinking;
  /** The turn it answers after; default the head. */
  readonly parent?: string;
}

/** What became of a message. It is durable when this is given. */
export type MessageReceipt =
  | { readonly fate: "turn"; readonly turn: string; readonly seq?: number; readonly queued?: boolean }
  | { readonly fate: "command"; readonly text: string };

export interface Turns {
  /** Throws `ConversationNotFound`, `TurnNotFound` (a bad `parent`), `BadRequest` (blank, too many or bad images). */
  submit(conversation: string, message: IncomingMessage): Promise<MessageReceipt>;
  /** Stops the running turn of that conversation; `false` when none runs. */
  stop(conversation: string): Promise<boolean>;
  /** A turn that goes on after an interrupted, stopped or failed one. Throws `BadRequest` when the head is none of these. */
  resume(conversation: string): Promise<Turn>;
  /** Ids of the conversations whose turn runs now. */
  running(): readonly string[];
}
