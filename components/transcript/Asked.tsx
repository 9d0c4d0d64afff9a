/**
 * The place of the dialog that `page.versions.asking` calls for; one a page. What it is made of comes when it is first
 * needed.
 *
 * @module
 */
import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Page } from "../state/page.ts";

type Dialogs = typeof import("./TurnDialog.tsx");

export function Asked({ page }: { page: Page }): VNode | null {
  const [dialogs, setDialogs] = useState<Dialogs | null>(null);
  const asking = page.versions.asking.value;
  useEffect(() => {
    if (!asking || dialogs) return;
    import("./TurnDialog.tsx").then(setDialogs, () => {
      page.versions.asking.value = null;
      page.alerts.say({
        group: "dialog",
        text: "This could not be loaded. Try again when the connection is back",
        level: "error",
      });
    });
  }, [asking]);
  return asking && dialogs ? <dialogs.TurnDialog page={page} /> : null;
}
