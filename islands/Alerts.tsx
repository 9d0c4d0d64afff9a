/**
 * What floats: alerts, and the bar that undoes a deletion.
 *
 * @module
 */
import type { VNode } from "preact";
import type { Boot } from "../components/state/boot.ts";
import { type Page, pageOf } from "../components/state/page.ts";
import { safeLink } from "../components/markdown/mod.ts";
import { Icon } from "../components/shell/Icon.tsx";
import type { Alert } from "../components/state/alerts.ts";

export default function Alerts({ boot }: { boot: Boot }): VNode {
  const page = pageOf(boot);
  return (
    <>
      <div class="alerts" role="status">
        {page.alerts.list.value.map((alert) => <AlertCard key={alert.id} page={page} alert={alert} />)}
      </div>
      <UndoBar page={page} />
    </>
  );
}

/** Its text stands on its own; where it leads may be gone (K-287). */
function AlertCard({ page, alert }: { page: Page; alert: Alert }): VNode {
  const known = page.live.rows.value.some((row) => row.id === alert.conversation);
  const address = alert.url ? safeLink(alert.url) : null;
  return (
    <div class="alert">
      <p class={alert.level === "error" ? "bad" : undefined}>{alert.text}</p>
      <button type="button" class="tool-button" aria-label="Dismiss" onClick={() => page.alerts.dismiss(alert.id)}>
        <Icon name="close" />
      </button>
      {(known || address) && (
        <p class="acts">
          {known && <a href={`${page.boot.basePath}/c/${alert.conversation}`}>Open</a>}
          {address && (
            <a href={address} rel="noopener noreferrer" target="_blank">Authorize at {new URL(address).host}</a>
          )}
        </p>
      )}
    </div>
  );
}

function UndoBar({ page }: { page: Page }): VNode | null {
  const deleted = page.deleted.value;
  if (!deleted) return null;
  return (
    <div class="toast" role="status">
      <span class="what">Deleted “{deleted.row.title}”.</span>
      <span class="spring" />
      <button type="button" class="button" onClick={() => page.undo()}>
        Undo <kbd>Ctrl Z</kbd>
      </button>
    </div>
  );
}
