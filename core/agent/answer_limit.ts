/**
 * How much one model call may answer. A server that never stops, or a model that has lost its way, would otherwise fill
 * the memory and the log.
 *
 * Invariant: what was taken in up to the limit is kept; the call ends in an error that says why
 * (tests/core/agent/answer_limit_test.ts).
 *
 * @module
 */
import { Incomplete, type ModelEvent, type ModelInfo } from "../model/mod.ts";

/** The longest answer, in UTF-16 code units: thinking, text and arguments together; about a million tokens. */
export const MAX_ANSWER_LENGTH = 4_000_000;

/** The most tool calls of one answer. */
export const MAX_CALLS = 1000;

/** A model as a sentence names it: without its address, which may hold a password. */
export function nameOf({ provider, id }: ModelInfo): string {
  return `${provider}:${id}`;
}

/** Counts one answer. */
export class AnswerLimit {
  readonly #info: ModelInfo;
  #length = 0;
  #calls = 0;

  constructor(info: ModelInfo) {
    this.#info = info;
  }

  /** Counts an event before anything is made of it. Throws `Incomplete` for the one that is too much. */
  count(event: ModelEvent): void {
    switch (event.type) {
      case "thinking":
      case "text":
      case "refusal":
      case "tool_arguments":
        this.#length += event.text.length;
        break;
      case "signature":
        this.#length += event.signature.data.length;
        break;
      case "tool_start":
        this.#calls++;
        this.#length += event.name.length;
        break;
      case "tool_call":
      case "request":
      case "usage":
      case "stop":
        break;
      default:
        event satisfies never;
    }
    if (this.#length > MAX_ANSWER_LENGTH) this.#refuse(`${MAX_ANSWER_LENGTH} characters`);
    if (this.#calls > MAX_CALLS) this.#refuse(`${MAX_CALLS} tool calls`);
  }

  #refuse(limit: string): never {
    throw new Incomplete(
      `The answer of ${
        nameOf(this.#info)
      } went past ${limit} and was ended there. Ask for less at once, or choose another model`,
      this.#info.provider,
    );
  }
}
