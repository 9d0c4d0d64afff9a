/**
 * A turn: a section of the book. The person's words open it, the colophon ends it.
 *
 * @module
 */
import { Component, type VNode } from "preact";
import { useContext } from "preact/hooks";
import type { Entry, UserData } from "../../core/log/entry.ts";
import type { Block, TurnView } from "../../core/log/folds/transcript.ts";
import { isWaiting } from "../state/approvals.ts";
import { isEditable } from "../state/versions.ts";
import { inWords, some } from "../words.ts";
import { Actions } from "./actions.ts";
import { Blocks } from "./Blocks.tsx";
import { Colophon } from "./Colophon.tsx";
import { EditBox } from "./EditBox.tsx";
import { Elapsed } from "./Elapsed.tsx";
import { Line } from "./Line.tsx";
import { Notice, TurnEnding } from "./Notice.tsx";
import { Said } from "./Said.tsx";
import { SaidTools } from "./SaidTools.tsx";

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
    const told = running ? -1 : endingNotice(blocks);
    const end = blocks[told];
    const rest = blocks.filter((_, index) => index !== told && (index > 0 || !opening));
    return (
      <article class="turn" aria-label={`Turn ${turn.n}`} aria-busy={running ? "true" : undefined}>
        <Opening view={view} opening={opening} />
        {opening && opening.data.from !== "person" && <Line kind="from" what={opening.data.from} />}
        {opening && turn.origin === "follow_up" && <FollowUp data={opening.data} />}
        <Blocks blocks={rest} ended={!running} />
        {running ? <Working view={view} /> : (
          <>
            <TurnEnding turn={turn} last={last} told={end?.kind === "notice" ? end.data : undefined} />
            <Colophon view={view} />
          </>
        )}
        {loose.length > 0 && <Blocks blocks={loose.filter(isBlock)} ended />}
      </article>
    );
  }
}

/** Where the log itself says how the turn ended: its last notice, if only what was not delivered follows. */
function endingNotice(blocks: readonly Block[]): number {
  const at = blocks.findLastIndex((block) => block.kind !== "undelivered" && block.kind !== "inbox");
  return blocks[at]?.kind === "notice" ? at : -1;
}

function isBlock(entry: Entry): entry is Exclude<Entry, Entry<"run"> | Entry<"round">> {
  return entry.kind !== "run" && entry.kind !== "round";
}

/** The message, its tools, and the field in its place while it is written again. `[` and `]` walk its versions. */
function Opening({ view, opening }: { view: TurnView; opening: Entry<"user"> | null }): VNode {
  const { page, at } = useContext(Actions);
  const { turn } = view;
  const { text = "", images, files } = opening?.data ?? {} as Partial<UserData>;
  const editing = page !== undefined && page.versions.editing.value === turn.id;
  return (
    <Said
      n={turn.n}
      at={opening?.at ?? turn.started_at}
      text={text}
      images={images}
      files={files}
      marked={opening !== null && opening.seq === at}
      tools={<SaidTools turn={turn} text={text} seq={opening?.seq ?? null} editable={isEditable(view)} />}
      field={editing ? <EditBox turn={turn} text={text} versions={page.versions} /> : null}
      onKeyDown={(event) => {
        const by = event.key === "[" ? -1 : event.key === "]" ? 1 : null;
        if (by === null || event.ctrlKey || event.metaKey || turn.siblings.length < 2) return;
        if ((event.target as Element).closest("input, textarea, select, dialog")) return;
        event.preventDefault();
        page?.versions.step(turn, by);
      }}
    />
  );
}

/** Says why this message is here and not in the turn it was written into. */
function FollowUp({ data }: { data: UserData }): VNode {
  const many = data.tokens?.length ?? 1;
  return (
    <Notice
      kind="inbox"
      text={many > 1
        ? `${inWords(many, true)} messages that the turn before ended without reading`
        : "The turn before ended without reading this"}
    />
  );
}

/** At the foot of a running turn for its whole length (K-283). */
function Working({ view }: { view: TurnView }): VNode {
  const waiting = view.entries.filter(isWaiting).length;
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
