/**
 * How deep JSON is nested and whether its object is over, found out as the text comes, each character looked at once.
 *
 * Everything that later walks a value (writing it down, comparing it, drawing it) does so by calling itself, and a stack
 * has an end: what is nested past `DEEPEST` is never made into a value that is kept.
 *
 * Invariants (tests/core/model/providers/json_scan_test.ts)
 * 1. Wherever the text is cut, the outcome is the same.
 * 2. `closed` is true exactly when the text begins with an object and that object's last brace was the last thing in it,
 *    blanks aside. Text that is not JSON may be closed, too; only parsing tells.
 *
 * @module
 */

/** The deepest nesting of a tool call's arguments. No call needs a tenth of it. */
export const DEEPEST = 200;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Looks at one JSON text, piece by piece. */
export class JsonScan {
  #depth = 0;
  #deepest = 0;
  #inText = false;
  #escaped = false;
  #state: "before" | "inside" | "closed" | "other" = "before";

  /** The deepest nesting so far. */
  get deepest(): number {
    return this.#deepest;
  }

  /** Whether the text so far is one object, whole. */
  get closed(): boolean {
    return this.#state === "closed";
  }

  /** The next piece of the text. */
  push(piece: string): void {
    for (let at = 0; at < piece.length; at++) this.#character(piece.charCodeAt(at));
  }

  #character(code: number): void {
    if (this.#inText) {
      if (this.#escaped) this.#escaped = false;
      else if (code === BACKSLASH) this.#escaped = true;
      else if (code === QUOTE) this.#inText = false;
      return;
    }
    switch (code) {
      case 0x20:
      case 0x09:
      case 0x0a:
      case 0x0d:
        return;
      case 0x7b:
      case 0x5b:
        this.#depth++;
        if (this.#depth > this.#deepest) this.#deepest = this.#depth;
        this.#state = this.#state === "before" && code === 0x7b
          ? "inside"
          : this.#state === "inside"
          ? "inside"
          : "other";
        return;
      case 0x7d:
      case 0x5d:
        this.#depth--;
        if (this.#state === "inside" && this.#depth === 0) this.#state = "closed";
        else if (this.#state !== "inside") this.#state = "other";
        return;
      default:
        if (code === QUOTE) this.#inText = true;
        if (this.#state !== "inside") this.#state = "other";
    }
  }
}

/** Whether a whole JSON text is nested deeper than `deepest`. */
export function nestsDeeper(text: string, deepest: number): boolean {
  // Every level takes two characters.
  if (text.length <= 2 * deepest) return false;
  const scan = new JsonScan();
  scan.push(text);
  return scan.deepest > deepest;
}
