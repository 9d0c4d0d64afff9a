/**
 * The transcript: drawn by the server, then kept in step with the log. Without a conversation it shows what the page put
 * inside it.
 *
 * @module
 */
import type { ComponentChildren, VNode } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { Boot } from "../components/state/boot.ts";
import { type Page, pageOf } from "../components/state/page.ts";
import { Actions, PendingTurns, TurnSection, useFollowing, useSpeech } from "../components/transcript/mod.ts";
import { looseEntries, type Transcript as Folded, type TurnView } from "../core/log/folds/transcript.ts";

export default function Transcript({ boot, children }: { boot: Boot; children?: ComponentChildren }): VNode {
  const page = pageOf(boot);
  const transcript = page.live.transcript.value;
  const pending = page.pending.value;
  const start = page.live.conversation.value === null && pending.length === 0;
  useEffect(() => page.start(), []);
  useFollowing(page);
  useSpeech(transcript);
  return (
    <Actions.Provider
      value={{
        basePath: boot.basePath,
        payload: (ref) => page.api.payload(ref),
        goOn: () => page.goOn(),
        now: boot.now,
      }}
    >
      {start ? children : (
        <>
          <Older page={page} />
          {shownTurns(transcript).map((view, index, all) => (
            <TurnSection
              key={view.turn.id}
              view={view}
              last={index === all.length - 1}
              loose={looseAfter(transcript, view, all[index + 1])}
            />
          ))}
          <PendingTurns page={page} first={(transcript.turns.at(-1)?.turn.n ?? 0) + 1} />
        </>
      )}
    </Actions.Provider>
  );
}

/** From the first turn of which something is loaded. */
function shownTurns(transcript: Folded): readonly TurnView[] {
  const first = transcript.turns.findIndex((view) => view.entries.length > 0 || view.turn.status === "running");
  return first < 0 ? [] : transcript.turns.slice(first);
}

function looseAfter(transcript: Folded, view: TurnView, next: TurnView | undefined) {
  const from = view.entries[0]?.seq ?? Infinity;
  const upto = next?.entries[0]?.seq ?? Infinity;
  return looseEntries(transcript).filter((entry) => entry.seq > from && entry.seq < upto);
}

/** Earlier entries load when the top comes into view; without scripts it is a link. */
function Older({ page }: { page: Page }): VNode | null {
  const top = useRef<HTMLParagraphElement>(null);
  const older = page.live.history.older.value;
  useEffect(() => {
    if (!top.current) return;
    const watcher = new IntersectionObserver((seen) => {
      if (seen.some((entry) => entry.isIntersecting)) page.attempt(() => page.live.moreEntries());
    }, { rootMargin: "600px" });
    watcher.observe(top.current);
    return () => watcher.disconnect();
  }, [older]);
  if (older === null) return null;
  return (
    <p class="older" ref={top}>
      <a href={`?before=${older}`}>Earlier in this conversation</a>
    </p>
  );
}
