/**
 * What the rest of the house asks of turns.
 *
 * @module
 */
import type { FileRef, ImageRef, PendingMessage, Thinking, Turn } from "../log/mod.ts";

/** A picture of a message: its bytes, or one that was stored before. */
export type IncomingImage =
  | { readonly name: string; readonly media_type: string; readonly data: Uint8Array<ArrayBuffer> }
  | ImageRef;

/** A message as it comes in from a person or a program. */
export interface IncomingMessage {
  readonly text: string;
  /** Makes it idempotent: the same token never runs twice, also across a restart. */
  readonly token?: string;
  readonly images?: readonly IncomingImage[];
  /** Text files that were stored before. */
  readonly files?: readonly FileRef[];
  readonly thinking?: Thinking;
  /** The turn it answers after; default the head. */
  readonly parent?: string;
  /** A turn of its own, also while another one runs. */
  readonly queue?: boolean;
}

/** How another answer to the same message is asked for; what is absent is as usual. */
export interface Rerun {
  /** A model string, for that turn alone. */
  readonly model?: string;
  readonly thinking?: Thinking;
}

/** What became of a message. It is durable when this is given. */
export type MessageReceipt =
  | { readonly fate: "turn"; readonly turn: string; readonly seq?: number; readonly queued?: boolean }
  /** It goes into the turn that runs, and is read at its next model call. */
  | { readonly fate: "joined"; readonly turn: string }
  | { readonly fate: "command"; readonly text: string };

export interface Turns {
  /** Throws `ConversationNotFound`, `TurnNotFound` (a bad `parent`), `BadRequest` (blank, too many or bad images). */
  submit(conversation: string, message: IncomingMessage): Promise<MessageReceipt>;
  /** Stops the running turn of that conversation; `false` when none runs. */
  stop(conversation: string): Promise<boolean>;
  /** A turn that goes on after an interrupted, stopped or failed one. Throws `BadRequest` when the head is none of these. */
  resume(conversation: string): Promise<Turn>;
  /**
   * Another answer to the message of a turn, beside it; waits in line while a turn runs. Throws `TurnNotFound`, and
   * `BadRequest` on a model string that does not parse.
   */
  regenerate(conversation: string, turn: string, how?: Rerun): Promise<{ readonly turn: string }>;
  /**
   * Another message in the place of a turn's, with the pictures and files of that one. Throws `TurnNotFound`, and
   * `BadRequest` on a blank text or a message that no person wrote.
   */
  edit(conversation: string, turn: string, text: string): Promise<{ readonly turn: string }>;
  /** The person's messages that were accepted and are in no transcript yet, in the order they will be read or run. */
  pending(conversation: string): Promise<readonly PendingMessage[]>;
  /** Changes one of them. Throws `MessageGone` when it was read or run meanwhile, `BadRequest` on a blank text. */
  editPending(conversation: string, message: string, text: string): Promise<PendingMessage>;
  /** Takes one of them back. Throws `MessageGone`. */
  takePending(conversation: string, message: string): Promise<void>;
  /**
   * Sends one of them before all others: into the running turn, or to the front of the line where it cannot be read there
   * (pictures, files, a place of its own in the tree) or nothing runs. Throws `MessageGone`.
   */
  sendPending(conversation: string, message: string): Promise<MessageReceipt>;
  /** Ids of the conversations whose turn runs now. */
  running(): readonly string[];
}
