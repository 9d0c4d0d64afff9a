/**
 * Text from a model, a tool or a file, made safe to print in a terminal: it cannot move the cursor, change the title,
 * write to the clipboard or hide what it says.
 *
 * Invariants
 * 1. What comes out holds no control character but tab and newline, and no character that overrides the direction of
 *    writing (tests/cli/control_filter_test.ts, property).
 * 2. The pieces of a stream come out as the whole would, wherever it is cut (same file, property).
 *
 * @module
 */

/** A colour or cursor sequence is dropped whole; longer than this it is no sequence, and its letters are shown. */
const LONGEST_SEQUENCE = 32;

// deno-lint-ignore no-control-regex
const UNSAFE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/** Filters one stream of text; each stream needs its own, since a sequence may be cut in two. */
export class ControlFilter {
  /** The start of a sequence whose end has not come yet, its escape character included. */
  #held = "";

  /** The part of `text`, and of what was held back before, that may be printed. */
  push(text: string): string {
    const all = this.#held + text;
    this.#held = unfinished(all);
    return clean(all.slice(0, all.length - this.#held.length));
  }

  /** What was held back, when no more will come. */
  end(): string {
    const rest = clean(this.#held);
    this.#held = "";
    return rest;
  }
}

/** The whole of `text`, made safe to print. */
export function withoutControls(text: string): string {
  return clean(text);
}

/** `text` on one line, cut to `length` characters with an ellipsis. */
export function oneLine(text: string, length: number): string {
  const line = clean(text).replace(/\s+/g, " ").trim();
  const letters = [...line.slice(0, length * 2 + 2)];
  return letters.length > length ? letters.slice(0, length - 1).join("").trimEnd() + "…" : line;
}

function clean(text: string): string {
  // deno-lint-ignore no-control-regex
  return text.replace(/(?:\u001b\[|\u009b)[0-?]{0,24}[ -/]{0,4}[@-~]/g, "").replace(UNSAFE, "");
}

/** The unfinished sequence, or the first half of a surrogate pair, at the end of `text`; or nothing. */
function unfinished(text: string): string {
  if (/[\ud800-\udbff]$/.test(text)) return text.slice(-1);
  const tail = text.slice(-LONGEST_SEQUENCE);
  const start = Math.max(tail.lastIndexOf("\u001b"), tail.lastIndexOf("\u009b"));
  if (start === -1) return "";
  const sequence = tail.slice(start);
  // deno-lint-ignore no-control-regex
  return /^(?:\u001b|(?:\u001b\[|\u009b)[0-?]{0,24}[ -/]{0,4})$/.test(sequence) ? sequence : "";
}
