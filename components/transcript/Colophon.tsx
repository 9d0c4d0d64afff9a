/**
 * The colophon: who wrote the answer, how long it took, what it used. What is not known is said, never shown as zero.
 *
 * @module
 */
import type { VNode } from "preact";
import type { PathTurn } from "../../core/log/entry.ts";
import type { TurnView } from "../../core/log/folds/transcript.ts";
import { CopyButton } from "../shell/CopyButton.tsx";
import { count, duration, isFree, modelName, money, some } from "../words.ts";

export function Colophon({ view }: { view: TurnView }): VNode {
  const failed = view.rounds.filter((round) => round.data.error !== undefined);
  const answer = answerOf(view);
  return (
    <footer class="colophon">
      <div>
        <ul role="list">{readings(view.turn).map((reading) => <li key={reading}>{reading}</li>)}</ul>
        {failed.length > 0 && (
          <span class="bad" title={failed.map((round) => round.data.error).join("\n")}>
            {some(failed.length, "call")} failed
          </span>
        )}
      </div>
      <div class="acts">
        {answer !== "" && <CopyButton text={answer} label="Copy the answer" />}
      </div>
    </footer>
  );
}

/** The readings of a turn, in order; exported for the tests. */
export function readings(turn: PathTurn): readonly string[] {
  const { usage } = turn;
  const model = (usage?.models.length ? usage.models : [turn.model]).map(modelName).join(", then ");
  if (!usage) return [model, "usage not recorded"];
  const list = [model, some(usage.calls, "call"), duration(usage.wall_seconds * 1000)];
  if (usage.calls === 0) return list;
  if (usage.reported_calls === 0) list.push("tokens not reported");
  else {
    list.push(`${count(usage.input_tokens)} in`, `${count(usage.output_tokens)} out`);
    if (usage.reported_calls < usage.calls) {
      list.push(`${some(usage.calls - usage.reported_calls, "call")} not reported`);
    }
  }
  const free = (usage.models.length ? usage.models : [turn.model]).every(isFree);
  list.push(usage.cost !== undefined ? money(usage.cost) : free ? "no cost" : "cost not known");
  return list;
}

function answerOf(view: TurnView): string {
  return view.blocks.flatMap((block) => block.kind === "text" ? [block.data.text.trim()] : []).filter((text) =>
    text !== ""
  )
    .join("\n\n");
}
