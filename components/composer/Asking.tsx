/**
 * Above the field, while questions wait in this conversation: how many, and the way to them. It is also what says to those
 * who listen that one has come.
 *
 * @module
 */
import type { VNode } from "preact";
import { entryOf } from "../../core/log/folds/transcript.ts";
import { toDecision } from "../keys/watch.ts";
import { writtenKeys } from "../keys/table.ts";
import type { Page } from "../state/page.ts";
import { some } from "../words.ts";

export function Asking({ page }: { page: Page }): VNode {
  const asked = page.asked.value;
  const first = asked[0] === undefined ? undefined : entryOf(page.live.transcript.value, asked[0]);
  return (
    <div class={asked.length > 0 ? "asking" : undefined} role="status" aria-label="Decisions that wait">
      {asked.length > 0 && (
        <>
          <span class="mark ask" />
          <span>
            {some(asked.length, "question")} {asked.length === 1 ? "waits" : "wait"}
            {first?.kind === "approval" && <span class="sr">: {first.data.agent} asks to run {first.data.tool}.</span>}
          </span>
          <button type="button" class="link scripted" onClick={() => toDecision(page)}>
            Show <kbd>{writtenKeys("decision")}</kbd>
          </button>
        </>
      )}
    </div>
  );
}
