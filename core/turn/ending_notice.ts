/**
 * What the person is told in the log when a turn did not come to its end.
 *
 * @module
 */
import type { NoticeData, Turn } from "../log/mod.ts";
import { INTERRUPTED_NOTICE } from "./recovery.ts";
import type { EndedBy } from "./slot.ts";

/** The notice that closes a turn, or `null` when it ended by itself or another notice has said why. */
export function endingNotice(turn: Turn, endedBy: EndedBy | undefined): NoticeData | null {
  switch (turn.status) {
    case "done":
    case "running":
      return null;
    case "stopped":
      return endedBy === "person"
        ? { text: "You stopped this turn. What it had written is kept", level: "info" }
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
