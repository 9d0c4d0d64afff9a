/**
 * Pasting several lines into a line editor: the terminal marks what is pasted, and its newlines are kept from sending.
 *
 * A pasted newline becomes a visible mark in the line, and a newline again when the line is sent.
 *
 * Invariants (tests/cli/paste_filter_test.ts pins each)
 * 1. The markers never reach the editor, wherever the input is cut.
 * 2. Nothing pasted is a key: control characters in it are dropped, tabs become spaces.
 *
 * @module
 */
import { withoutControls } from "./control_filter.ts";

const START = "\u001b[200~";
const END = "\u001b[201~";
const NEWLINE_MARK = "⏎";

/** Asks the terminal to mark pastes, and to stop doing so. */
export const PASTE_MODE = { on: "\u001b[?2004h", off: "\u001b[?2004l" } as const;

export class PasteFilter {
  #pasting = false;
  #held = "";
  #pasted = false;

  /** What the editor gets of a piece of input. */
  push(input: string): string {
    let rest = this.#held + input;
    this.#held = "";
    let out = "";
    while (rest !== "") {
      const marker = this.#pasting ? END : START;
      const at = rest.indexOf(marker);
      if (at === -1) {
        this.#held = markerStart(rest, marker);
        return out + this.#pass(rest.slice(0, rest.length - this.#held.length));
      }
      out += this.#pass(rest.slice(0, at));
      this.#pasting = !this.#pasting;
      this.#pasted = true;
      rest = rest.slice(at + marker.length);
    }
    return out;
  }

  /** A line as it was meant: with its pasted newlines. */
  restore(line: string): string {
    const whole = this.#pasted ? line.replaceAll(NEWLINE_MARK, "\n") : line;
    this.#pasted = false;
    return whole;
  }

  #pass(text: string): string {
    if (!this.#pasting) return text;
    return withoutControls(text.replace(/\r\n?|\n/g, NEWLINE_MARK).replaceAll("\t", "  "));
  }
}

/** The longest end of `text` that begins the marker; a lone escape is the key itself and is let through. */
function markerStart(text: string, marker: string): string {
  for (let length = Math.min(text.length, marker.length - 1); length > 1; length--) {
    if (marker.startsWith(text.slice(-length))) return text.slice(-length);
  }
  return "";
}
