/**
 * The side: new conversation, the list of them, the other pages, and how the page is connected.
 *
 * @module
 */
import { useSignal } from "@preact/signals";
import type { VNode } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Icon } from "../components/shell/Icon.tsx";
import { reveal } from "../components/shell/reveal.ts";
import { watchMenus } from "../components/shell/Menu.tsx";
import { Grip } from "../components/side/Grip.tsx";
import { LiveLine } from "../components/side/LiveLine.tsx";
import { Row } from "../components/side/Row.tsx";
import type { Boot, Side } from "../components/state/boot.ts";
import { type Page, pageOf } from "../components/state/page.ts";
import { nextTheme, setSide, setTheme } from "../components/state/preferences.ts";
import { groupRows } from "../components/state/rows.ts";
import { toggleSide } from "../components/side/keys.ts";
import { watchKeys } from "../components/keys/watch.ts";
import { writtenKeys } from "../components/keys/table.ts";
import { askedIn, entitled, markIcon, unreadIn } from "../components/state/unread.ts";

export default function Sidebar({ boot }: { boot: Boot }): VNode {
  const page = pageOf(boot);
  const theme = useSignal(boot.theme);
  const side = useSignal(boot.side);
  const toSide = (next: Side) => {
    side.value = next;
    setSide(boot.basePath, next);
  };
  const panel = page.panel.open.value !== null;
  /** Beside the panel the side is a rail, unless it is widened again by hand. */
  const widened = useSignal(false);
  const rail = side.value.rail || (panel && !widened.value);
  const toRail = (next: boolean) => {
    widened.value = !next;
    if (!panel || side.value.rail) toSide({ ...side.value, rail: next });
  };
  const toTheme = () => {
    theme.value = nextTheme(theme.value);
    setTheme(boot.basePath, theme.value);
  };
  const toggleRail = useRef(() => {});
  toggleRail.current = () => toRail(!rail);
  useEffect(() => {
    page.start();
    const ends = [
      watchMenus(),
      watchKeys(page),
      showCurrent(),
      page.commands.offer("side", () => toggleSide(() => toggleRail.current())),
      page.commands.offer("theme", toTheme),
    ];
    return () => ends.forEach((end) => end());
  }, []);
  useEffect(() => {
    if (!panel) widened.value = false;
  }, [panel]);
  useEffect(() => {
    document.querySelector(".shell")?.classList.toggle("rail", rail);
  }, [rail, side.value]);
  const unread = unreadIn(page);
  const asked = askedIn(page).size > 0;
  useEffect(() => {
    document.title = entitled(document.title, { unread, asked });
    markIcon(asked);
  }, [unread, asked]);
  return (
    <>
      <div class="side-top">
        <div class="brand">
          <Icon name="jar" />
          <a class="name" href={`${boot.basePath}/`}>Mālama</a>
          <button
            type="button"
            class="tool-button scripted"
            aria-label={rail ? "Expand the side" : "Collapse the side"}
            popovertarget="side"
            popovertargetaction="hide"
            onClick={() => toRail(!rail)}
          >
            <Icon name="side" />
          </button>
        </div>
        <a class="side-button framed" href={`${boot.basePath}/`} title="New conversation">
          <Icon name="plus" />
          <span class="label">New conversation</span>
        </a>
        <button
          type="button"
          class="side-button scripted"
          title="Search"
          popovertarget="side"
          popovertargetaction="hide"
          onClick={() => page.finding.value = ""}
        >
          <Icon name="find" />
          <span class="label">Search</span>
          <kbd>{writtenKeys("find")}</kbd>
        </button>
      </div>
      <div class="side-list">
        <List page={page} />
      </div>
      <div class="side-foot">
        <ul role="list" class="nav">
          <PageLink boot={boot} page="memory" label="Memory" icon="keep" />
          <PageLink boot={boot} page="permissions" label="Permissions" icon="check" />
          <PageLink boot={boot} page="usage" label="Usage" icon="dial" />
          <PageLink boot={boot} page="settings" label="Settings" icon="gear" />
        </ul>
        <LiveLine
          connection={page.connection.value}
          version={boot.version}
          theme={theme}
          onTry={() => page.tryNow()}
          onTheme={toTheme}
        />
      </div>
      <Grip side={side.value} onSide={toSide} />
    </>
  );
}

/** The row of the page in view is seen from the start, and whenever the drawer opens. */
function showCurrent(): () => void {
  const side = document.getElementById("side");
  const show = () => reveal(side?.querySelector(".side-list"), side?.querySelector(".row:has(> a[aria-current])"));
  show();
  side?.addEventListener("toggle", show);
  return () => side?.removeEventListener("toggle", show);
}

interface PageLinkProps {
  readonly boot: Boot;
  readonly page: "memory" | "permissions" | "usage" | "settings";
  readonly label: string;
  readonly icon: "keep" | "check" | "dial" | "gear";
}

function PageLink({ boot, page, label, icon }: PageLinkProps): VNode {
  return (
    <li>
      <a href={`${boot.basePath}/${page}`} title={label} aria-current={boot.page === page ? "page" : undefined}>
        <Icon name={icon} />
        <span class="label">{label}</span>
      </a>
    </li>
  );
}

/** Only one name field is open at a time, and what is typed in it outlives every drawing of the list. */
function List({ page }: { page: Page }): VNode {
  const { renaming } = page;
  const rows = page.live.rows.value;
  const asked = askedIn(page);
  if (rows.length === 0) {
    return (
      <section class="group">
        <h2>Conversations</h2>
        <p class="help none">None yet. What you write appears here.</p>
      </section>
    );
  }
  return (
    <>
      {groupRows(rows, page.boot.now).map((group) => (
        <section class="group" key={group.name}>
          <h2>{group.name}</h2>
          <ul role="list">
            {group.rows.map((row) => (
              <Row
                key={row.id}
                row={row}
                href={`${page.boot.basePath}/c/${row.id}`}
                current={page.live.conversation.value?.id === row.id}
                asked={asked.has(row.id)}
                naming={page.naming.value === row}
                name={renaming.at("side", row.id)}
                exports={`${page.boot.basePath}/api/conversations/${row.id}/export`}
                onOpenName={() => renaming.open(row, "side")}
                onType={(text) => renaming.type(text)}
                onKeep={() => renaming.keep()}
                onDrop={() => renaming.drop()}
                onName={() => page.nameFromContent(row)}
                onPin={() => page.pin(row)}
                onDuplicate={() => page.duplicate(row)}
                onDelete={() => page.deletion.remove(row)}
              />
            ))}
          </ul>
        </section>
      ))}
      <Further page={page} />
    </>
  );
}

/** Older rows load when the end of the list comes into view; without scripts it is a link. */
function Further({ page }: { page: Page }): VNode | null {
  const end = useRef<HTMLParagraphElement>(null);
  const next = page.live.nextRows.value;
  useEffect(() => {
    if (!end.current) return;
    const watcher = new IntersectionObserver((seen) => {
      if (seen.some((entry) => entry.isIntersecting)) page.attempt(() => page.live.moreRows());
    }, { rootMargin: "300px" });
    watcher.observe(end.current);
    return () => watcher.disconnect();
  }, [next]);
  if (next === null) return null;
  return (
    <p class="none" ref={end}>
      <a href={`?older=${encodeURIComponent(next)}`}>Older conversations</a>
    </p>
  );
}
