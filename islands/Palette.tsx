/**
 * The palette's place on the page. What it is made of is loaded once the page has nothing else to do, so that it works
 * without a connection too.
 *
 * @module
 */
import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { FinderProps } from "../components/palette/mod.ts";
import type { Boot } from "../components/state/boot.ts";
import { type Page, pageOf } from "../components/state/page.ts";

type Finder = (props: FinderProps) => VNode;

/** The first moments belong to the page itself, in milliseconds. */
const FIRST = 2000;

/** How long after that the palette is fetched, at the latest, in milliseconds. */
const SOON = 5000;

export default function Palette({ boot }: { boot: Boot }): VNode | null {
  const page = pageOf(boot);
  const [finder, setFinder] = useState<{ readonly Finder: Finder } | null>(null);
  const typed = page.finding.value;
  const fetchIt = () => import("../components/palette/mod.ts").then(setFinder);
  useEffect(() => {
    page.start();
    return whenIdle(() => void fetchIt().catch(() => {}));
  }, []);
  useEffect(() => {
    if (typed === null || finder) return;
    fetchIt().catch(() => {
      page.finding.value = null;
      page.alerts.say({
        group: "palette",
        text: "Search could not be loaded. Try again when the connection is back",
        level: "error",
      });
    });
  }, [typed]);
  if (typed === null || !finder) return null;
  return (
    <finder.Finder
      page={page}
      typed={typed}
      onClose={() => page.finding.value = null}
      beginWith={(text) => beginWith(page, text)}
    />
  );
}

/** The text goes into the draft of the conversation that is not begun. */
function beginWith(page: Page, text: string): void {
  const before = page.drafts.read(null).trim();
  page.drafts.write(null, before === "" || before === text ? text : `${before}\n\n${text}`);
  page.drafts.settle();
  location.assign(`${page.boot.basePath}/`);
}

function whenIdle(then: () => void): () => void {
  let asked: number | undefined;
  const timer = setTimeout(() => {
    if (typeof requestIdleCallback === "function") asked = requestIdleCallback(then, { timeout: SOON });
    else then();
  }, FIRST);
  return () => {
    clearTimeout(timer);
    if (asked !== undefined) cancelIdleCallback(asked);
  };
}
