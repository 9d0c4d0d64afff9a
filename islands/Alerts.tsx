/**
 * What floats: alerts, and the bar that undoes a deletion.
 *
 * @module
 */
import type { VNode } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { Boot } from "../components/state/boot.ts";
import { type Page, pageOf } from "../components/state/page.ts";
import { safeLink } from "../components/markdown/mod.ts";
import { Icon } from "../components/shell/Icon.tsx";
import type { Alert } from "../components/state/alerts.ts";

export default function Alerts({ boot }: { boot: Boot }): VNode {
  const page = pageOf(boot);
  useRead(page);
  return (
    <>
      <div class="alerts" role="status" aria-label="Alerts" onKeyDown={(event) => onKey(page, event)}>
        {page.alerts.list.value.map((alert) => <AlertCard key={alert.id} page={page} alert={alert} />)}
      </div>
      <UndoBar page={page} />
    </>
  );
}

/** What was said about a conversation goes once that is read, in whichever tab. */
function useRead(page: Page): void {
  const before = useRef<ReadonlySet<string>>(new Set());
  const unread = new Set(page.live.rows.value.filter((row) => row.unread).map((row) => row.id));
  useEffect(() => {
    for (const id of before.current) if (!unread.has(id)) page.alerts.dismissAbout(id);
    before.current = unread;
  });
}

/** Escape puts away the one that has the focus. */
function onKey(page: Page, event: KeyboardEvent): void {
  if (event.key !== "Escape") return;
  const id = (event.target as Element).closest<HTMLElement>(".alert")?.dataset.alert;
  if (id === undefined) return;
  event.preventDefault();
  dismiss(page, id);
}

/** The focus goes on to the next alert, or to where the page is written. */
function dismiss(page: Page, id: string): void {
  const cards = [...document.querySelectorAll<HTMLElement>(".alert")];
  const at = cards.findIndex((card) => card.dataset.alert === id);
  const held = cards[at]?.contains(document.activeElement);
  const next = cards[at + 1] ?? cards[at - 1];
  page.alerts.dismiss(id);
  if (held) (next?.querySelector<HTMLElement>("button") ?? document.getElementById("log"))?.focus();
}

/** Its text stands on its own; where it leads may be gone (K-287). */
function AlertCard({ page, alert }: { page: Page; alert: Alert }): VNode {
  const known = page.live.rows.value.some((row) => row.id === alert.conversation);
  const address = alert.url ? safeLink(alert.url) : null;
  return (
    <div class="alert" data-alert={alert.id}>
      <p class={alert.level === "error" ? "bad" : undefined}>{alert.text}</p>
      <button type="button" class="tool-button" aria-label="Dismiss" onClick={() => dismiss(page, alert.id)}>
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
  const deleted = page.deletion.deleted.value;
  if (!deleted) return null;
  return (
    <div class="toast" role="status" ref={raise}>
      <span class="what">Deleted “{deleted.row.title}”.</span>
      <span class="spring" />
      <button type="button" class="button" onClick={() => page.deletion.undo()}>
        Undo <kbd>Ctrl Z</kbd>
      </button>
    </div>
  );
}

/** Above the drawer where the side is one: a row that was deleted there can be brought back without closing it. */
function raise(bar: HTMLElement | null): void {
  if (!bar || bar.popover !== null || !document.querySelector("#side:popover-open")) return;
  bar.popover = "manual";
  bar.showPopover();
}
