/**
 * What a model is told of a call that did not run, as its result.
 *
 * @module
 */
import type { ApprovalData } from "../../log/mod.ts";

/** Of a turn that nobody began: nobody could answer (K-096). */
export const UNATTENDED = "this turn runs without a person, and the call needs one";

/** The result of a call that was denied. */
export function deniedText({ tool, by, reason }: Pick<ApprovalData, "tool" | "by" | "reason">): string {
  switch (by) {
    case "timeout":
      return `${tool} was not run: nobody answered in time. Do not try it again in this turn; say what it would have done`;
    case "policy":
      return `${tool} was not run: ${reason}. Go on without it, and say what it would have done`;
    default:
      return reason
        ? `${tool} was not run: the person denied it and says: ${reason}`
        : `${tool} was not run: the person denied it. Do not try it again unless they ask for it`;
  }
}
