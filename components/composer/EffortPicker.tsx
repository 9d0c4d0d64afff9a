/**
 * How much the model is to think before it answers; kept for the conversation.
 *
 * @module
 */
import type { VNode } from "preact";
import { type Effort, EFFORTS } from "../state/answering.ts";
import type { Page } from "../state/page.ts";
import { Chevron, Choice, Picker } from "./Picker.tsx";

export function EffortPicker({ page }: { page: Page }): VNode {
  const { answering } = page;
  const effort = answering.effort.value;
  return (
    <Picker
      label="Effort"
      value={effort}
      class="effort"
      face={
        <>
          <span class="value">Effort: {effort}</span>
          <Chevron />
        </>
      }
    >
      <ul role="list">
        {EFFORTS.map((each) => (
          <Choice key={each} chosen={each === effort} onChoose={() => answering.setEffort(each)}>
            <span class="what">{each}</span>
            <span class="help">{MEANING[each]}</span>
          </Choice>
        ))}
      </ul>
    </Picker>
  );
}

const MEANING: Readonly<Record<Effort, string>> = {
  default: "as the agent has it",
  off: "answers at once",
  low: "thinks a little",
  medium: "thinks for a while",
  high: "thinks as long as it likes",
};
