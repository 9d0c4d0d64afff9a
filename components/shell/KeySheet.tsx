/**
 * The sheet of the keys that work. A popover: Escape and a click elsewhere close it, and it opens without scripts.
 *
 * @module
 */
import type { VNode } from "preact";
import { KEYS } from "../keys/table.ts";
import { Icon } from "./Icon.tsx";

/** Its id, for buttons that open it. */
export const KEY_SHEET = "keys";

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
        {KEYS.map(({ id, keys, does }) => (
          <div key={id}>
            <dt>{keys.split(" ").map((key) => <kbd key={key} class="cap">{key}</kbd>)}</dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <p class="help">
        On a Mac, ⌘ in place of Ctrl and ⌥ in place of Alt. While a field holds text, keys that stand alone are text.
      </p>
    </div>
  );
}

/** Opens the sheet, or closes it; the focus goes back to where it was. */
export function toggleKeySheet(): void {
  document.getElementById(KEY_SHEET)?.togglePopover();
}
