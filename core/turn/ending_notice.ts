/**
 * What the person is told in the log when a turn did not come to its end.
 *
 * @module
 */
import type { NoticeData, Turn } from "../log/mod.ts";
import { INTERRUPTED_NOTICE } from "./recovery.ts";
import type { EndedBy } from "./slot.ts";

/**
 * The notice that closes a turn, or `null` when it ended by itself or another notice has said why. `givenBack` is how many
 * of the person's messages it had accepted and not read (K-091, K-129).
 */
export function endingNotice(turn: Turn, endedBy: EndedBy | undefined, givenBack = 0): NoticeData | null {
  switch (turn.status) {
    case "done":
    case "running":
      return null;
    case "stopped":
      return endedBy === "person"
        ? { text: `You stopped this turn. What it had written is kept${undeliveredWords(givenBack)}`, level: "info" }
        : null;
    case "interrupted":
      return { text: INTERRUPTED_NOTICE, level: "warning" };
    case "failed":
      return { text: turn.failure ?? "The turn failed", level: "error" };
    case "refused":
      return { text: turn.failure ?? "The model declined to answer", level: "warning" };
    default:
      return turn.status satisfies never;
  }
}

function undeliveredWords(count: number): string {
  if (count === 0) return "";
  return count === 1 ? ". Your last message was not delivered" : `. Your last ${count} messages were not delivered`;
}
