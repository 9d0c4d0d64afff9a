/**
 * The place of a question in a transcript. What it is drawn with is there at once on the server and on a page that was drawn
 * with a question; on any other page it comes with the first one.
 *
 * @module
 */
import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Entry } from "../../core/log/entry.ts";
import { isWaiting } from "../state/approvals.ts";
import type { Page } from "../state/page.ts";

type Parts = typeof import("./parts.ts");

/** How long to wait before what could not be loaded is asked for again, in milliseconds. */
const AGAIN = 4000;

const isDrawn = typeof document === "undefined" || document.querySelector(".question") !== null;
const parts: Parts | null = isDrawn ? await import("./parts.ts").catch(() => null) : null;

export interface QuestionProps {
  readonly entry: Entry<"approval">;
  /** Whether the turn, or the run, is over. */
  readonly ended: boolean;
  readonly basePath: string;
  /** The clock of the first drawing, in milliseconds. */
  readonly now: number;
  /** Absent where a transcript is only looked at. */
  readonly page?: Page;
}

/** A question that waits, or what became of it. */
export function Question({ entry, ended, basePath, now, page }: QuestionProps): VNode {
  const [held, setHeld] = useState(parts);
  const [tries, setTries] = useState(0);
  useEffect(() => {
    if (held) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    import("./parts.ts").then(setHeld, () => {
      timer = setTimeout(() => setTries(tries + 1), AGAIN);
    });
    return () => clearTimeout(timer);
  }, [held, tries]);
  return (
    <div class="block question">
      {held && (!ended && isWaiting(entry)
        ? <held.AskCard entry={entry} basePath={basePath} now={now} page={page} />
        : <held.Decided entry={entry} />)}
      {!held && tries > 0 && <p class="help">This question could not be loaded. It is tried again.</p>}
    </div>
  );
}
