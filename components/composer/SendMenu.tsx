/**
 * Two ways to send while a turn runs.
 *
 * @module
 */
import type { VNode } from "preact";
import type { Page } from "../state/page.ts";
import { Chevron, Choice, Picker } from "./Picker.tsx";
import { goesInto, type Sending, type Way } from "./sending.ts";

export function SendMenu({ page, sending }: { page: Page; sending: Sending }): VNode {
  const into = goesInto(page);
  const choose = (way: Way) => {
    sending.send(way);
    document.getElementById("say")?.focus();
  };
  return (
    <Picker label="How to send" class="send-menu" face={<Chevron />}>
      <ul role="list">
        <Choice onChoose={() => choose("into")} disabled={!into}>
          <span class="what">Send into this answer</span>
          {into ? <kbd>Enter</kbd> : <span class="help">text alone</span>}
        </Choice>
        <Choice onChoose={() => choose("after")}>
          <span class="what">Send after it</span>
          <kbd>{into ? "Alt Enter" : "Enter"}</kbd>
        </Choice>
      </ul>
    </Picker>
  );
}
