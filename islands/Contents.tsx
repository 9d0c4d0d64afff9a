/**
 * The contents of a conversation, beside it on a wide page: its turns by number, the one in view in ink.
 *
 * @module
 */
import { useSignal } from "@preact/signals";
import type { VNode } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { reveal } from "../components/shell/reveal.ts";
import type { Boot } from "../components/state/boot.ts";
import { pageOf } from "../components/state/page.ts";
import { clip } from "../components/words.ts";
import type { TurnView } from "../core/log/folds/transcript.ts";

export default function Contents({ boot }: { boot: Boot }): VNode | null {
  const page = pageOf(boot);
  const turns = page.live.transcript.value.turns.flatMap(lineOf);
  const last = turns.at(-1)?.n ?? 0;
  const seen = useSignal<number | null>(null);
  useEffect(() => {
    const look = () => seen.value = turnInView();
    addEventListener("scroll", look, { passive: true });
    // A page that is opened at an entry stands there before anything scrolls.
    if (document.documentElement.scrollHeight > innerHeight) look();
    return () => removeEventListener("scroll", look);
  }, []);
  const current = seen.value ?? last;
  const contents = useRef<HTMLElement>(null);
  useEffect(() => reveal(contents.current?.closest(".margin"), contents.current?.querySelector("[aria-current]")), [
    current,
  ]);
  if (turns.length < 2) return null;
  return (
    <nav ref={contents} class="contents" aria-labelledby="contents-title">
      <h2 id="contents-title">In this conversation</h2>
      <ol role="list">
        {turns.map(({ n, text }) => (
          <li key={n}>
            <span class="n" aria-hidden="true">{n}</span>
            <a href={`#turn-${n}`} dir="auto" aria-current={n === current ? "true" : undefined}>{text}</a>
          </li>
        ))}
      </ol>
    </nav>
  );
}

/** How much of a message is looked at: it may be megabytes, and this is done with each piece of an answer. */
const LOOKED_AT = 400;

function lineOf(view: TurnView): { n: number; text: string }[] {
  const first = view.blocks[0];
  return first?.kind === "user"
    ? [{ n: view.turn.n, text: clip(first.data.text.slice(0, LOOKED_AT).trim().replace(/\s+/g, " "), 80) }]
    : [];
}

/** The last turn whose head is above the upper third of the window. */
function turnInView(): number | null {
  const line = innerHeight / 3;
  const above = [...document.querySelectorAll(".said[id]")].filter((said) => said.getBoundingClientRect().top < line);
  const n = Number(above.at(-1)?.id.slice("turn-".length));
  return Number.isInteger(n) && n > 0 ? n : null;
}
