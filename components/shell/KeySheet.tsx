/**
 * The sheet of the keys that work. A popover: Escape and a click elsewhere close it, and it opens without scripts.
 *
 * @module
 */
import type { VNode } from "preact";
import { KEY_SHEET } from "../keys/sheet.ts";
import { type KeyId, KEYS } from "../keys/table.ts";
import { Icon } from "./Icon.tsx";

/** What each key does. */
const WORDS: Readonly<Record<KeyId, string>> = {
  find: "find a conversation, an action or a page",
  new_conversation: "new conversation",
  above: "the conversation above",
  below: "the conversation below",
  side: "fold the side, or open it",
  decision: "to the oldest decision that waits for you; again, to the next",
  allow_once: "allow once, in a decision",
  allow_turn: "allow for this turn, in a decision",
  allow_conversation: "allow for this conversation, in a decision",
  deny: "deny, in a decision",
  edit_call: "edit the arguments, in a decision",
  landmark: "to the next part of the page; with Shift back",
  compose: "to the composer",
  send: "send; while an answer is written, into it",
  send_after: "send after this answer, while one is written",
  new_line: "new line",
  edit_last: "edit the last message, from an empty composer",
  newest: "to the newest text, and follow it",
  older_version: "the version before, on a message",
  newer_version: "the version after, on a message",
  rename: "rename this conversation",
  undo: "undo a deletion, while its bar stands",
  close: "close what is open, or stop the turn",
  sheet: "this sheet",
};

export function KeySheet(): VNode {
  return (
    <div class="key-sheet" id={KEY_SHEET} popover="auto" role="dialog" aria-labelledby="keys-title">
      <div class="key-head">
        <h2 id="keys-title">Keys</h2>
        <button
          type="button"
          class="tool-button"
          aria-label="Close"
          popovertarget={KEY_SHEET}
          popovertargetaction="hide"
          autofocus
        >
          <Icon name="close" />
        </button>
      </div>
      <dl>
        {KEYS.map(({ id, keys }) => (
          <div key={id}>
            <dt>{keys.split(" ").map((key) => <kbd key={key} class="cap">{key}</kbd>)}</dt>
            <dd>{WORDS[id]}</dd>
          </div>
        ))}
      </dl>
      <p class="help">
        On a Mac, ⌘ in place of Ctrl and ⌥ in place of Alt. While a field holds text, keys that stand alone are text.
      </p>
    </div>
  );
}
