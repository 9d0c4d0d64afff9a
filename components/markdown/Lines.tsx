/**
 * The lines of a listing: plain at once, with keywords, comments and strings as soon as the machine has time for it.
 *
 * Each chunk of lines is a block of its own, so that a longer listing costs no more to lay out while it grows. The words of
 * the languages are loaded with the first listing that needs them; without scripts, or where they cannot be loaded, a
 * listing is plain.
 *
 * @module
 */
import { Component, type VNode } from "preact";
import { useEffect, useReducer, useRef } from "preact/hooks";
import type { Piece, Printer } from "./highlight/mod.ts";
import { grammarName } from "./language_tags.ts";
import type { Chunk, PrintedLines } from "./printed_lines.ts";

export interface LinesProps {
  readonly lines: PrintedLines;
  /** The chunks as they are now: with `lines` alone, which stays the same object, nothing would be drawn again. */
  readonly chunks: readonly Chunk[];
  /** What stands after the fence. */
  readonly language: string;
}

/** Draws the lines of a listing. */
export function Lines({ lines, language }: LinesProps): VNode {
  const [, redraw] = useReducer<number, void>((drawn) => drawn + 1, 0);
  const grammar = grammarName(language);
  const printer = useRef<Printer | null>(null);
  useEffect(() => {
    if (!grammar) return;
    let isWanted = true;
    // Where it cannot be loaded, the listing stays plain.
    import("./highlight/mod.ts").then(({ Printer }) => {
      if (!isWanted) return;
      printer.current = new Printer(lines, grammar, redraw);
      printer.current.wake();
    }, () => {});
    return () => {
      isWanted = false;
      printer.current?.stop();
      printer.current = null;
    };
  }, [lines, grammar]);
  useEffect(() => printer.current?.wake(), [lines.chunks.at(-1)?.lines]);
  const { chunks } = lines;
  return <>{chunks.map((chunk, index) => <Part key={index} chunk={chunk} isLast={index === chunks.length - 1} />)}</>;
}

class Part extends Component<{ readonly chunk: Chunk; readonly isLast: boolean }> {
  override shouldComponentUpdate(next: Part["props"]): boolean {
    return next.chunk !== this.props.chunk || next.isLast !== this.props.isLast;
  }

  render({ chunk: { lines, pieces }, isLast }: Part["props"]): VNode {
    const end = (index: number) => isLast && index === lines.length - 1 ? "" : "\n";
    const rest = lines.slice(pieces.length);
    return (
      <span class="lines">
        {pieces.map((line, index) => <PrintedLine key={index} pieces={line} end={end(index)} />)}
        {rest.length > 0 && rest.join("\n") + end(lines.length - 1)}
      </span>
    );
  }
}

class PrintedLine extends Component<{ readonly pieces: readonly Piece[]; readonly end: string }> {
  override shouldComponentUpdate(next: PrintedLine["props"]): boolean {
    return next.pieces !== this.props.pieces || next.end !== this.props.end;
  }

  render({ pieces, end }: PrintedLine["props"]): VNode {
    return <>{pieces.map(([kind, text], at) => kind === "" ? text : <span key={at} class={kind}>{text}</span>)}{end}</>;
  }
}
