/**
 * A line: what the machine did, with its kind word in the margin and its reading at the right edge. Opens when it holds
 * something.
 *
 * @module
 */
import type { ComponentChildren, Ref, VNode } from "preact";
import { Chevron } from "../shell/Icon.tsx";

export interface LineProps {
  /** The word in the margin. */
  readonly kind: string;
  /** In code: a tool or an agent. */
  readonly name?: string;
  /** What it is about; cut with an ellipsis, whole in its title. */
  readonly what?: string;
  /** The outcome, when it is not "done". */
  readonly state?: ComponentChildren;
  readonly note?: string;
  readonly time?: ComponentChildren;
  /** Open at first. */
  readonly open?: boolean;
  /** Told when the fold is turned by hand. */
  readonly onTurn?: () => void;
  readonly fold?: Ref<HTMLDetailsElement>;
  readonly children?: ComponentChildren;
}

export function Line({ kind, name, what, state, note, time, open, onTurn, fold, children }: LineProps): VNode {
  const rest = (
    <>
      {name && <bdi class="name">{name}</bdi>}
      {what && <bdi class="what" title={what.length > 48 ? what : undefined}>{what}</bdi>}
      <span class="lead" aria-hidden="true" />
      {state}
      {note && <span class="note">{note}</span>}
      <span class="time">{time}</span>
    </>
  );
  if (!children) {
    return (
      <div class="block line-block">
        <div class="line">
          <span class="kind">{kind}</span>
          {rest}
        </div>
      </div>
    );
  }
  return (
    <details class="block line-block" open={open} ref={fold}>
      <summary class="line" onClick={onTurn}>
        <span class="kind">
          {kind}
          <Chevron />
        </span>
        {rest}
      </summary>
      {children}
    </details>
  );
}

/** The turning ring, with its word for those who cannot see it. */
export function Running(): VNode {
  return (
    <span class="live">
      <span class="mark run" />
      <span class="sr">running</span>
    </span>
  );
}
