/**
 * A question that was answered, in one line: who decided, how and why; behind it what a reviewer said and what was changed.
 *
 * @module
 */
import type { VNode } from "preact";
import type { Entry } from "../../core/log/entry.ts";
import { timeOfDay } from "../words.ts";
import { ExactJson } from "./Value.tsx";
import { decidedWords } from "./words.ts";

export function Decided({ entry }: { entry: Entry<"approval"> }): VNode {
  const { data } = entry;
  const { verdicts = [], changed } = data;
  const rule = data.scope === "always" ? data.rule : undefined;
  const more = verdicts.length > 0 || changed !== undefined || rule?.arguments !== undefined;
  return (
    <div class="notice decided">
      <span class="kind">decision</span>
      <span dir="auto">{decidedWords(data)}, {timeOfDay(entry.at)}</span>
      {more && (
        <details class="decided-more">
          <summary class="link">More</summary>
          <div class="fold">
            {verdicts.map((verdict) => (
              <p key={verdict.reviewer}>
                {verdict.approved ? "Approved" : "Not approved"} by the reviewer <bdi>{verdict.reviewer}</bdi>{" "}
                (<bdi>{verdict.model}</bdi>): “{verdict.reason}”
              </p>
            ))}
            {changed !== undefined && (
              <>
                <p>It ran with other arguments than the model gave. Those it ran with:</p>
                <ExactJson value={changed} />
                <p>Those the model gave:</p>
                <ExactJson value={data.arguments} />
              </>
            )}
            {rule?.arguments !== undefined && (
              <>
                <p>The rule holds for exactly these arguments:</p>
                <ExactJson value={rule.arguments} />
              </>
            )}
          </div>
        </details>
      )}
    </div>
  );
}
