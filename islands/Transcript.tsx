/**
 * The transcript: drawn by the server, then kept in step with the log. Without a conversation it shows what the page put
 * inside it.
 *
 * @module
 */
import type { ComponentChildren, VNode } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";
import type { Boot } from "../components/state/boot.ts";
import { type Page, pageOf } from "../components/state/page.ts";
import {
  Actions,
  Asked,
  Following,
  goToEnd,
  Nearness,
  NearTurn,
  PendingTurns,
  TurnSection,
  useSpeech,
} from "../components/transcript/mod.ts";
import { looseEntries, type Transcript as Folded, type TurnView } from "../core/log/folds/transcript.ts";

export default function Transcript({ boot, children }: { boot: Boot; children?: ComponentChildren }): VNode {
  const page = pageOf(boot);
  const transcript = page.live.transcript.value;
  const { newer } = page.live.history;
  const sent = page.running.value ? 0 : page.pending.value.length;
  const start = page.live.conversation.value === null && page.pending.value.length === 0;
  useEffect(() => page.start(), []);
  useEffect(() => {
    if (page.pending.value.length > 0 && newer.peek() !== null) goToEnd(page);
  }, [page.pending.value.length]);
  useSpeech(transcript);
  const nearness = useMemo(() => new Nearness(), []);
  const actions = useMemo(() => ({
    basePath: boot.basePath,
    payload: (ref: string) => page.api.payload(ref),
    goOn: () => page.goOn(),
    now: boot.now,
    page,
    ...boot.at != null && { at: boot.at },
  }), [page]);
  return (
    <Actions.Provider value={actions}>
      <Following page={page} transcript={transcript} sent={page.pending.value.length}>
        {start ? children : (
          <>
            <Older page={page} />
            {shownTurns(transcript, newer.value).map((view, index, all) => (
              <NearTurn
                key={view.turn.n}
                n={view.turn.n}
                ended={view.turn.status !== "running" && index < all.length - 1}
                nearness={nearness}
              >
                <TurnSection
                  view={view}
                  last={view.turn.id === transcript.turns.at(-1)?.turn.id}
                  loose={looseAfter(transcript, view, all[index + 1])}
                />
              </NearTurn>
            ))}
            <Newer page={page} />
            {newer.value === null && sent > 0 && (
              <PendingTurns page={page} first={(transcript.turns.at(-1)?.turn.n ?? 0) + 1} />
            )}
          </>
        )}
      </Following>
      <Asked page={page} />
    </Actions.Provider>
  );
}

/** From the first turn of which something is loaded, to the end of what is loaded without a hole. */
function shownTurns(transcript: Folded, newer: number | null): readonly TurnView[] {
  const { turns } = transcript;
  const first = turns.findIndex((view) => view.entries.length > 0 || view.turn.status === "running");
  if (first < 0) return [];
  if (newer === null) return turns.slice(first);
  return turns.slice(first).filter(({ entries: [opening] }) => opening !== undefined && opening.seq <= newer);
}

function looseAfter(transcript: Folded, view: TurnView, next: TurnView | undefined) {
  const loose = looseEntries(transcript);
  if (loose.length === 0) return loose;
  const from = view.entries[0]?.seq ?? Infinity;
  const upto = next?.entries[0]?.seq ?? Infinity;
  return loose.filter((entry) => entry.seq > from && entry.seq < upto);
}

/** Earlier entries load when the top comes into view; without scripts it is a link. */
function Older({ page }: { page: Page }): VNode | null {
  const older = page.live.history.older.value;
  const place = useLoading(page, older, () => page.live.moreEntries());
  if (older === null) return null;
  return (
    <p class="older" ref={place}>
      <a href={`?before=${older}`}>Earlier in this conversation</a>
    </p>
  );
}

/** Later ones when the bottom does, where the page was opened in the middle. */
function Newer({ page }: { page: Page }): VNode | null {
  const newer = page.live.history.newer.value;
  const place = useLoading(page, newer, () => page.live.history.moreNewer());
  if (newer === null) return null;
  return (
    <p class="older" ref={place}>
      <a href={`?after=${newer}`}>Later in this conversation</a>
      <a
        href={`${page.boot.basePath}/c/${page.live.transcript.value.conversation}`}
        onClick={(event) => {
          event.preventDefault();
          goToEnd(page);
        }}
      >
        To the end
      </a>
    </p>
  );
}

/** How long to wait after loading failed, in milliseconds. */
const AGAIN = 4000;

/** Loads more when an element comes near the window. `bound` changes once something was loaded. */
function useLoading(page: Page, bound: number | null, load: () => Promise<void>) {
  const place = useRef<HTMLParagraphElement>(null);
  const failed = useRef(-Infinity);
  useEffect(() => {
    if (!place.current) return;
    const watcher = new IntersectionObserver(async (seen) => {
      if (!seen.some((entry) => entry.isIntersecting)) return;
      const loaded = await page.attempt(async () => {
        await load();
        return true;
      });
      if (!loaded) failed.current = performance.now();
    }, { rootMargin: "600px" });
    const wait = Math.max(failed.current + AGAIN - performance.now(), 0);
    const timer = setTimeout(() => place.current && watcher.observe(place.current), wait);
    return () => {
      clearTimeout(timer);
      watcher.disconnect();
    };
  }, [bound]);
  return place;
}
