/**
 * Thinking that a model writes into its answer between `<think>` and `</think>`, told apart as it streams (K-327).
 *
 * Invariants
 * 1. However the text is cut into pieces, the result is the same (tests/core/model/providers/think_tags_test.ts).
 *
 * @module
 */
import type { Outbox } from "./outbox.ts";

const OPEN = "<think>";
const CLOSE = "</think>";

/** Sends the pieces of an answer to the outbox as thinking or text. Blank space next to a tag belongs to neither. */
export class ThinkSplitter {
  readonly #out: Outbox;
  #inside: boolean;
  /** The end of what came so far, held back because it may be the start of a tag. */
  #held = "";
  #skipBlank = true;

  /** `inside` is for models whose prompt already holds the opening tag. */
  constructor(out: Outbox, inside: boolean) {
    this.#out = out;
    this.#inside = inside;
  }

  /** One piece of the answer. */
  text(piece: string): void {
    let rest = this.#held + piece;
    this.#held = "";
    for (;;) {
      const tag = this.#inside ? CLOSE : OPEN;
      const at = rest.indexOf(tag);
      if (at < 0) break;
      this.#emit(rest.slice(0, at));
      rest = rest.slice(at + tag.length);
      this.#inside = !this.#inside;
      this.#skipBlank = true;
    }
    const kept = startedTag(rest, this.#inside ? CLOSE : OPEN);
    this.#held = rest.slice(rest.length - kept);
    this.#emit(rest.slice(0, rest.length - kept));
  }

  /** The answer is over: what was held back is text after all. */
  end(): void {
    const held = this.#held;
    this.#held = "";
    this.#emit(held);
  }

  #emit(text: string): void {
    const shown = this.#skipBlank ? text.trimStart() : text;
    if (shown === "") return;
    this.#skipBlank = false;
    if (this.#inside) this.#out.thinking(shown);
    else this.#out.text(shown);
  }
}

/** How many characters at the end of `text` begin `tag`. */
function startedTag(text: string, tag: string): number {
  for (let length = Math.min(text.length, tag.length - 1); length > 0; length--) {
    if (text.endsWith(tag.slice(0, length))) return length;
  }
  return 0;
}
