/**
 * Opens the panel of the model calls of a turn, or of one sub-agent of it. Where there is no panel, only what failed is said.
 *
 * @module
 */
import type { VNode } from "preact";
import { useContext } from "preact/hooks";
import type { Entry } from "../../core/log/entry.ts";
import { some } from "../words.ts";
import { Actions } from "./actions.ts";

export interface RoundsButtonProps {
  readonly turn: string;
  /** The sub-agent whose calls they are; `null`: the agent that answers. */
  readonly run: string | null;
  readonly rounds: readonly Entry<"round">[];
}

export function RoundsButton({ turn, run, rounds }: RoundsButtonProps): VNode | null {
  const { page } = useContext(Actions);
  const failed = rounds.filter((round) => round.data.error !== undefined);
  const errors = failed.map((round) => round.data.error).join("\n") || undefined;
  if (!page || rounds.length === 0) {
    return failed.length === 0 ? null : <span class="bad" title={errors}>{some(failed.length, "call")} failed</span>;
  }
  const open = page.panel.open.value;
  const whole = failed.length === rounds.length && failed.length === 1;
  const also = failed.length === 0 ? "" : whole ? ", failed" : `, ${failed.length} failed`;
  return (
    <button
      type="button"
      class={failed.length > 0 ? "rounds bad scripted" : "rounds scripted"}
      aria-expanded={open?.turn === turn && open.run === run ? "true" : "false"}
      title={errors}
      onClick={() => page.panel.openRounds(turn, 0, run)}
    >
      <span class="brace" aria-hidden="true">{"{ }"}</span>
      {some(rounds.length, "round")}
      {also}
    </button>
  );
}
