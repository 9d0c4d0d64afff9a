/**
 * A turn: a section of the book. The person's words open it, the colophon ends it.
 *
 * @module
 */
import { Component, type VNode } from "preact";
import type { Entry } from "../../core/log/entry.ts";
import type { TurnView } from "../../core/log/folds/transcript.ts";
import { some } from "../words.ts";
import { Blocks } from "./Blocks.tsx";
import { Colophon } from "./Colophon.tsx";
import { Elapsed } from "./Elapsed.tsx";
import { Line } from "./Line.tsx";
import { TurnEnding } from "./Notice.tsx";
import { Said } from "./Said.tsx";

export interface TurnSectionProps {
  readonly view: TurnView;
  /** Whether it is the one in view at the end of the path. */
  readonly last: boolean;
  /** Notes of no turn that came after this one. */
  readonly loose: readonly Entry[];
}

export class TurnSection extends Component<TurnSectionProps> {
  override shouldComponentUpdate(next: TurnSectionProps): boolean {
    const { view, last, loose } = this.props;
    return next.view !== view || next.last !== last || next.loose.length !== loose.length;
  }

  render({ view, last, loose }: TurnSectionProps): VNode {
    const { turn, blocks } = view;
    const running = turn.status === "running";
    const opening = blocks[0]?.kind === "user" && !blocks[0].data.injected ? blocks[0] : null;
    const end = running ? undefined : blocks.at(-1);
    const told = end?.kind === "notice" ? end.data : undefined;
    const rest = blocks.slice(opening ? 1 : 0, told ? -1 : undefined);
    return (
      <article class="turn" aria-label={`Turn ${turn.n}`} aria-busy={running ? "true" : undefined}>
        {opening
          ? <Said n={turn.n} at={opening.at} text={opening.data.text} images={opening.data.images} />
          : <Said n={turn.n} at={turn.started_at} text="" />}
        {opening && opening.data.from !== "person" && <Line kind="from" what={opening.data.from} />}
        <Blocks blocks={rest} ended={!running} />
        {running ? <Working view={view} /> : (
          <>
            <TurnEnding turn={turn} last={last} told={told} />
            <Colophon view={view} />
          </>
        )}
        {loose.length > 0 && <Blocks blocks={loose.filter(isBlock)} ended />}
      </article>
    );
  }
}

function isBlock(entry: Entry): entry is Exclude<Entry, Entry<"run"> | Entry<"round">> {
  return entry.kind !== "run" && entry.kind !== "round";
}

/** At the foot of a running turn for its whole length (K-283). */
function Working({ view }: { view: TurnView }): VNode {
  const waiting = view.entries.filter((entry) => entry.kind === "approval" && !entry.data.decision).length;
  return (
    <div class="working">
      <span class="mark run" />
      <span>
        Working,{" "}
        <b>
          <Elapsed since={view.turn.started_at} />
        </b>
      </span>
      {view.rounds.length > 0 && <span>{some(view.rounds.length, "call")}</span>}
      {waiting > 0 && <span>{some(waiting, "decision")} waiting</span>}
    </div>
  );
}
