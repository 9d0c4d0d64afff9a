/**
 * The panel beside the log: the model calls of a turn, one at a time. On a narrow page it covers the page.
 *
 * @module
 */
import type { ComponentChildren, VNode } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Entry } from "../../core/log/entry.ts";
import type { TurnView } from "../../core/log/folds/transcript.ts";
import { Icon } from "../shell/Icon.tsx";
import type { Page } from "../state/page.ts";
import { roundsIn } from "../state/rounds.ts";
import { duration, modelName } from "../words.ts";
import { type Ending, endingOf } from "./ending.ts";
import { cameOf, readingsOf } from "./readings.ts";
import { RequestView } from "./RequestView.tsx";

/** Where the panel covers the page; the style sheet says the same. */
const COVERS = "(max-width: 63.99rem)";

export function RoundsPanel({ page }: { page: Page }): VNode | null {
  const open = page.panel.open.value;
  const panel = useRef<HTMLElement>(null);
  const [unfolded, setUnfolded] = useState(false);
  const load = useLoads(page);
  useCover();
  useEffect(() => focusIn(panel.current), []);
  if (open === null) return null;
  const view = page.live.transcript.value.turns.find(({ turn }) => turn.id === open.turn);
  const rounds = view ? roundsIn(view, open.run) : [];
  const index = Math.min(Math.max(open.index, 0), rounds.length - 1);
  const round = rounds[index];
  const n = view?.turn.n;
  const file = round?.data.request_ref
    ? `${page.boot.basePath}${round.data.request_ref}?download=turn-${n}-round-${index + 1}.json`
    : null;
  return (
    <aside class="panel" id="rounds" aria-labelledby="rounds-title" ref={panel}>
      <div class="panel-head">
        <h2 id="rounds-title">{n === undefined ? "Rounds" : `Turn ${n}${runName(view, open.run)}, rounds`}</h2>
        {file && (
          <a class="tool-button" href={file} download aria-label="Save this request as a file" title="Save as a file">
            <Icon name="save" />
          </a>
        )}
        <button type="button" class="tool-button" aria-label="Close" onClick={() => page.panel.close()}>
          <Icon name="close" />
        </button>
      </div>
      <div class="panel-body">
        {!view || !round ? <Nothing view={view} /> : (
          <>
            <Tabs count={rounds.length} index={index} onTurn={(next) => page.panel.turnTo(next)} />
            <div
              role="tabpanel"
              id="round"
              aria-labelledby={`round-tab-${index}`}
              tabIndex={0}
              key={round.seq}
            >
              <Round view={view} round={round} came={cameOf(view, rounds, index)} />
              <RequestView
                view={view}
                data={round.data}
                file={file}
                open={unfolded}
                onOpen={setUnfolded}
                load={load}
              />
            </div>
          </>
        )}
      </div>
    </aside>
  );
}

/** `, researcher#1`; nothing for the agent that answers. */
function runName(view: TurnView | undefined, run: string | null): string {
  const card = view?.entries.find((entry) => entry.kind === "run" && entry.run === run);
  return run !== null && card?.kind === "run" ? `, ${card.data.address ?? card.data.agent}` : "";
}

function Nothing({ view }: { view: TurnView | undefined }): VNode {
  const text = view === undefined
    ? "This turn is not in view any more"
    : view.turn.status === "running"
    ? "The first call of this turn has not ended yet"
    : "No call of this turn is known here";
  return <p class="help">{text}.</p>;
}

function Round({ view, round, came }: { view: TurnView; round: Entry<"round">; came: readonly Entry[] }): VNode {
  const tools = came.flatMap((entry) => entry.kind === "tool" ? [entry.data.name] : []);
  return (
    <>
      <p class="round-line">
        {asked(round)} <b>{modelName(round.data.model)}</b> for {duration(round.data.ms)}.{" "}
        <Ended ending={endingOf(round.data, tools)} />
      </p>
      <dl class="facts ruled">
        {readingsOf(view, round, came).map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}

function asked({ data }: Entry<"round">): string {
  switch (data.kind) {
    case "plain":
      return "Asked";
    case "continuation":
      return "Asked to go on:";
    case "wrap_up":
      return "Asked to wrap up, without tools:";
    default:
      return data.kind satisfies never;
  }
}

function Ended({ ending }: { ending: Ending }): VNode {
  const { text, bad, tools } = ending;
  return (
    <span class={bad ? "bad" : undefined}>
      {text}
      {tools.map((tool, index) => (
        <span key={tool}>
          {index === 0 ? " " : index === tools.length - 1 ? " and " : ", "}
          <code>{tool}</code>
        </span>
      ))}
      {/[.!?…]$/.test(text) && tools.length === 0 ? "" : "."}
    </span>
  );
}

function Tabs({ count, index, onTurn }: { count: number; index: number; onTurn: (index: number) => void }): VNode {
  const tabs = useRef<HTMLDivElement>(null);
  const onKey = (event: KeyboardEvent) => {
    const to: Record<string, number> = { ArrowRight: index + 1, ArrowLeft: index - 1, Home: 0, End: count - 1 };
    const next = to[event.key];
    if (next === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    const turned = (next + count) % count;
    onTurn(turned);
    tabs.current?.querySelectorAll<HTMLElement>("[role=tab]")[turned]?.focus();
  };
  return (
    <div class="tabs" role="tablist" aria-label="Rounds" ref={tabs} onKeyDown={onKey}>
      {Array.from({ length: count }, (_, at): ComponentChildren => (
        <button
          key={at}
          type="button"
          role="tab"
          id={`round-tab-${at}`}
          aria-label={`Round ${at + 1} of ${count}`}
          aria-selected={at === index}
          aria-controls="round"
          tabIndex={at === index ? 0 : -1}
          onClick={() => onTurn(at)}
        >
          {at + 1}
        </button>
      ))}
    </div>
  );
}

/** Each request is fetched once while the panel stands; one that could not be had is asked for again. */
function useLoads(page: Page): (ref: string) => Promise<string> {
  return useMemo(() => {
    const held = new Map<string, Promise<string>>();
    return (ref) => {
      const load = held.get(ref) ?? page.api.payload(ref);
      held.set(ref, load);
      load.catch(() => held.delete(ref));
      return load;
    };
  }, []);
}

function focusIn(panel: HTMLElement | null): void {
  const first = panel?.querySelector<HTMLElement>("[role=tab][aria-selected=true]") ??
    panel?.querySelector<HTMLElement>(".panel-head button");
  first?.focus({ preventScroll: true });
}

/** Where the panel covers the page, nothing of the page behind it can be reached. */
function useCover(): void {
  useEffect(() => {
    const main = document.querySelector<HTMLElement>(".shell > .main");
    const narrow = matchMedia(COVERS);
    const cover = () => main?.toggleAttribute("inert", narrow.matches);
    cover();
    narrow.addEventListener("change", cover);
    return () => {
      narrow.removeEventListener("change", cover);
      main?.removeAttribute("inert");
    };
  }, []);
}
