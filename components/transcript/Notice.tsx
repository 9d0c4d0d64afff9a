/**
 * Notices: what happened, what it means, what to do, in that order and on one line.
 *
 * @module
 */
import type { ComponentChildren, VNode } from "preact";
import { useContext } from "preact/hooks";
import type { NoticeData, PathTurn } from "../../core/log/entry.ts";
import { Actions } from "./actions.ts";

export interface NoticeProps {
  readonly kind: string;
  /** A word in red before the text. */
  readonly bad?: string;
  readonly text: string;
  readonly children?: ComponentChildren;
}

export function Notice({ kind, bad, text, children }: NoticeProps): VNode {
  return (
    <div class="block notice">
      <span class="kind">{kind}</span>
      {bad && <span class="bad">{bad}</span>}
      <span dir="auto">{text}</span>
      {children && <span class="acts">{children}</span>}
    </div>
  );
}

/**
 * How a turn ended that did not end well, and the way on. `told` is the log's own line about it, if there is one: then
 * that line is shown.
 */
export function TurnEnding({ turn, last, told }: { turn: PathTurn; last: boolean; told?: NoticeData }): VNode | null {
  const ending = endingOf(turn);
  if (!ending) return told ? <LogNotice data={told} /> : null;
  const way = last && <WaysOn turn={turn} />;
  if (told) return <LogNotice data={told}>{way}</LogNotice>;
  return <Notice kind="notice" bad={ending.bad} text={ending.text}>{way}</Notice>;
}

/** A notice as the log has it. */
export function LogNotice({ data, children }: { data: NoticeData; children?: ComponentChildren }): VNode {
  return (
    <Notice kind="notice" bad={data.level === "error" ? "Failed." : undefined} text={data.text}>
      {children}
    </Notice>
  );
}

function endingOf(turn: PathTurn): { bad?: string; text: string } | null {
  switch (turn.status) {
    case "running":
    case "done":
      return null;
    case "stopped":
      return { text: "You stopped this turn. What was written is kept" };
    case "failed":
      return { bad: "Failed.", text: turn.failure ?? "The model did not answer. What was written is kept" };
    case "refused":
      return { text: turn.failure ?? "The model declined to answer this" };
    case "interrupted":
      return { text: "Interrupted by a restart. A call that was running may have run" };
    default:
      turn.status satisfies never;
      return null;
  }
}

/** Going on, where that makes sense; with another model, where this one did not answer or would not. */
function WaysOn({ turn }: { turn: PathTurn }): VNode | null {
  const { page } = useContext(Actions);
  const other = page && (turn.status === "failed" || turn.status === "refused");
  return (
    <>
      {turn.status !== "refused" && <GoOn conversation={turn.conversation} status={turn.status} />}
      {other && (
        <button
          type="button"
          class="link scripted"
          onClick={() => page.versions.asking.value = { kind: "model", turn }}
        >
          Use another model
        </button>
      )}
    </>
  );
}

/** A form, so that it works without scripts too. */
function GoOn({ conversation, status }: { conversation: string; status: string }): VNode {
  const { goOn, basePath } = useContext(Actions);
  return (
    <form
      method="post"
      action={`${basePath}/c/${conversation}`}
      onSubmit={(event) => {
        event.preventDefault();
        goOn();
      }}
    >
      <button type="submit" class="link" name="do" value="continue">
        {status === "failed" ? "Try again" : "Go on"}
      </button>
    </form>
  );
}
