/**
 * How the next message is to be answered. Where there is little room the three fold into one button that opens them.
 *
 * @module
 */
import type { VNode } from "preact";
import type { Page } from "../state/page.ts";
import { modelName } from "../words.ts";
import { EffortPicker } from "./EffortPicker.tsx";
import { ModelPicker } from "./ModelPicker.tsx";
import { Chevron } from "./Picker.tsx";

/** The element that the narrow button opens. */
const OPTIONS = "how-to-answer";

export function Options({ page }: { page: Page }): VNode {
  const { answering } = page;
  const name = modelName(answering.model.value);
  const effort = answering.canThink.value && answering.effort.value !== "default" ? answering.effort.value : null;
  return (
    <>
      <button
        type="button"
        class="pick only-narrow scripted"
        popovertarget={OPTIONS}
        aria-label={`How to answer: ${name}${effort ? `, effort ${effort}` : ""}`}
      >
        <span class="value">{effort ? `${name}, ${effort}` : name}</span>
        <Chevron />
      </button>
      <div class="options" id={OPTIONS} popover="auto" role="group" aria-label="How to answer">
        {answering.canPlan.value && (
          <label class="toggle">
            <input
              type="checkbox"
              checked={answering.plan.value}
              onChange={({ currentTarget }) => answering.plan.value = currentTarget.checked}
            />
            Plan first
          </label>
        )}
        {answering.canThink.value && <EffortPicker page={page} />}
        <ModelPicker page={page} />
      </div>
    </>
  );
}
