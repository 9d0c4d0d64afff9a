/**
 * Messages the transcript does not show yet: drawn at once, with a dim number until the server has them.
 *
 * @module
 */
import type { VNode } from "preact";
import type { Outgoing } from "../state/outbox.ts";
import type { Page } from "../state/page.ts";
import { Said } from "./Said.tsx";

/** While a turn runs they stand above the composer instead (`components/composer/QueueList.tsx`), for they come after it. */
export function PendingTurns({ page, first }: { page: Page; first: number }): VNode | null {
  if (page.running.value) return null;
  return (
    <>
      {page.pending.value.map((item, index) => (
        <article key={item.token} class="turn" aria-label={`Message ${first + index}, not sent yet`}>
          <Said n={first + index} at={item.at} text={item.text} pending>
            <Held page={page} item={item} />
          </Said>
        </article>
      ))}
    </>
  );
}

/** Why it is not sent yet. */
function Held({ page, item }: { page: Page; item: Outgoing }): VNode | null {
  if (item.state === "refused") return <Refused page={page} item={item} />;
  if (item.state !== "waiting" || page.connection.value.state !== "waiting") return null;
  return (
    <div class="notice" role="status">
      Not connected. It is kept here and goes out once, when the connection is back
    </div>
  );
}

function Refused({ page, item }: { page: Page; item: Outgoing }): VNode {
  return (
    <div class="notice">
      <span class="bad">Not sent.</span>
      <span>{item.problem}</span>
      <span class="acts">
        <button
          type="button"
          class="link"
          onClick={() => page.sayAgain(item)}
        >
          Try again
        </button>
        <button type="button" class="link" onClick={() => page.takeBack(item)}>Edit</button>
        <button type="button" class="link" onClick={() => page.outbox.take(item.token)}>Drop it</button>
      </span>
    </div>
  );
}
