/**
 * The place of the panel beside the log. What it is made of is loaded when it is opened first.
 *
 * @module
 */
import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Boot } from "../components/state/boot.ts";
import { type Page, pageOf } from "../components/state/page.ts";

type Panel = (props: { page: Page }) => VNode | null;

export default function RoundPanel({ boot }: { boot: Boot }): VNode | null {
  const page = pageOf(boot);
  const [panel, setPanel] = useState<{ readonly RoundsPanel: Panel } | null>(null);
  const open = page.panel.open.value !== null;
  useEffect(() => {
    if (!open || panel) return;
    import("../components/panel/mod.ts").then(setPanel).catch(() => {
      page.panel.close();
      page.alerts.say({
        group: "panel",
        text: "The panel could not be loaded. Try again when the connection is back",
        level: "error",
      });
    });
  }, [open]);
  return open && panel ? <panel.RoundsPanel page={page} /> : null;
}
