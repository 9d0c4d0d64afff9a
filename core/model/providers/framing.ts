/**
 * Cutting a response's text into frames: server-sent events or one JSON value a line.
 *
 * Invariants
 * 1. Wherever the network cuts the bytes, the frames are the same (tests/core/model/providers/framing_test.ts).
 *
 * @module
 */
import { Fault } from "./fault.ts";

/** How a protocol marks where one frame ends. */
export type Framing = "sse" | "ndjson";

/** Characters a single frame may have; a server that sends more is broken. */
const LONGEST_FRAME = 64 * 1024 * 1024;

/** Turns pieces of text into whole frames. */
export interface Framer {
  /** The frames that this piece completed. */
  push(piece: string): readonly string[];
  /** What is left when the text is over: a last frame without its end mark, or nothing. */
  end(): readonly string[];
}

/** A framer for one response. */
export function createFramer(framing: Framing): Framer {
  switch (framing) {
    case "sse":
      return new EventFramer();
    case "ndjson":
      return new LineFramer();
    default:
      return framing satisfies never;
  }
}

/** Splits at line feeds; a carriage return before one is not part of the line. */
class Lines {
  #rest = "";

  push(piece: string): readonly string[] {
    const from = this.#rest.length;
    const text = this.#rest + piece;
    const lines: string[] = [];
    let start = 0;
    // What was left over holds no line feed, so the search begins in the new piece.
    for (let at = text.indexOf("\n", from); at >= 0; at = text.indexOf("\n", start)) {
      lines.push(text.slice(start, text[at - 1] === "\r" && at > start ? at - 1 : at));
      start = at + 1;
    }
    this.#rest = text.slice(start);
    if (this.#rest.length > LONGEST_FRAME) throw new Fault("malformed", { detail: "a frame was too long" });
    return lines;
  }

  end(): string {
    const rest = this.#rest;
    this.#rest = "";
    return rest;
  }
}

class LineFramer implements Framer {
  readonly #lines = new Lines();

  push(piece: string): readonly string[] {
    return this.#lines.push(piece).filter((line) => line.trim() !== "");
  }

  end(): readonly string[] {
    const rest = this.#lines.end();
    return rest.trim() === "" ? [] : [rest];
  }
}

/** Only `data` matters: all five protocols repeat an event's name in its data. Comments keep the line alive. */
class EventFramer implements Framer {
  readonly #lines = new Lines();
  #data: string | undefined;

  push(piece: string): readonly string[] {
    const frames: string[] = [];
    for (const line of this.#lines.push(piece)) this.#line(line, frames);
    return frames;
  }

  end(): readonly string[] {
    const frames: string[] = [];
    this.#line(this.#lines.end(), frames);
    this.#line("", frames);
    return frames;
  }

  #line(line: string, frames: string[]): void {
    if (line === "") {
      if (this.#data !== undefined && this.#data !== "") frames.push(this.#data);
      this.#data = undefined;
      return;
    }
    if (!line.startsWith("data:")) return;
    const value = line.slice(line[5] === " " ? 6 : 5);
    this.#data = this.#data === undefined ? value : `${this.#data}\n${value}`;
    if (this.#data.length > LONGEST_FRAME) throw new Fault("malformed", { detail: "a frame was too long" });
  }
}
