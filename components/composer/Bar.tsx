/**
 * The bar below the text: attach, how it is to be answered, stop, send.
 *
 * @module
 */
import type { VNode } from "preact";
import { Icon } from "../shell/Icon.tsx";
import type { Page } from "../state/page.ts";
import { AttachButton } from "./Attachments.tsx";
import { Options } from "./Options.tsx";
import { SendMenu } from "./SendMenu.tsx";
import { goesInto, type Sending } from "./sending.ts";

export function Bar({ page, sending }: { page: Page; sending: Sending }): VNode {
  const running = page.running.value;
  return (
    <div class="bar">
      <AttachButton page={page} />
      <Options page={page} />
      <span class="spring" />
      {running && (
        <button
          type="submit"
          class="button stop-button"
          name="do"
          value="stop"
          formNoValidate
          onClick={(event) => {
            event.preventDefault();
            page.stop();
          }}
        >
          <Icon name="stop" />
          <span class="label">Stop</span>
        </button>
      )}
      {running && <SendMenu page={page} sending={sending} />}
      <button type="submit" class="send" aria-label={sendLabel(page)} title={sendLabel(page)}>
        <Icon name="send" />
      </button>
    </div>
  );
}

/** What the button says to those who cannot see where the message goes. */
function sendLabel(page: Page): string {
  if (!page.running.value) return "Send";
  return goesInto(page) ? "Send into this answer" : "Send after this answer";
}
