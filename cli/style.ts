/**
 * How terminal text is set off. Without colour every function gives its text back, so plain output holds no escape codes.
 *
 * @module
 */

export interface Style {
  /** What the machine does: thinking, tool lines, the colophon. */
  readonly dim: (text: string) => string;
  readonly bold: (text: string) => string;
  readonly italic: (text: string) => string;
  /** Code inside a line. */
  readonly code: (text: string) => string;
  /** A failure. */
  readonly danger: (text: string) => string;
  /** A decision that waits for the person; nothing else. */
  readonly ask: (text: string) => string;
}

const PLAIN: Style = { dim: same, bold: same, italic: same, code: same, danger: same, ask: same };

const COLOURED: Style = {
  dim: (text) => wrap(text, 2, 22),
  bold: (text) => wrap(text, 1, 22),
  italic: (text) => wrap(text, 3, 23),
  code: (text) => wrap(text, 36, 39),
  danger: (text) => wrap(text, 31, 39),
  ask: (text) => wrap(text, 33, 39),
};

/** Whether escape codes may be written: only to a terminal, and not when `NO_COLOR` is set to anything or it is a dumb one. */
export function mayColour(isTerminal: boolean, env: (name: string) => string | undefined): boolean {
  return isTerminal && (env("NO_COLOR") ?? "") === "" && env("TERM") !== "dumb";
}

export function styleFor(colour: boolean): Style {
  return colour ? COLOURED : PLAIN;
}

function same(text: string): string {
  return text;
}

/** Line by line, so that an erased or cut line never leaves the style on. */
function wrap(text: string, on: number, off: number): string {
  return text.split("\n").map((line) => line === "" ? "" : `\u001b[${on}m${line}\u001b[${off}m`).join("\n");
}
