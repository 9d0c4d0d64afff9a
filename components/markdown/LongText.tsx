/**
 * A paragraph too long to be looked into, as parts that are laid out each by itself: of one that never ends, a word more
 * would otherwise cost all that stands before it.
 *
 * @module
 */
import type { VNode } from "preact";
import { decodeEntities } from "./entities.ts";
import { Growing } from "./Growing.tsx";

/** A part ends at the first space after so many characters, or in the middle of a word that has none for as many again. */
const PART = 3000;

/** Where a text is cut depends on what stands before the cut alone, so the parts of a longer one begin alike. */
export function partsOf(text: string): readonly string[] {
  const parts: string[] = [];
  for (let from = 0; from < text.length;) {
    const space = text.slice(from + PART, from + 2 * PART).search(/\s/);
    const isLast = text.length - from <= PART || (space < 0 && text.length - from < 2 * PART);
    const to = isLast ? text.length : from + (space < 0 ? 2 * PART : PART + space + 1);
    parts.push(text.slice(from, to));
    from = to;
  }
  return parts;
}

export function LongText({ text, tip, final }: { text: string; tip: boolean; final: boolean }): VNode {
  return (
    <div class={tip ? "long-text tip" : "long-text"}>
      <Growing
        items={partsOf(text)}
        draw={(part) => <p>{decodeEntities(part)}</p>}
        isOther={(held, next) => held !== next}
        final={final}
      />
    </div>
  );
}
