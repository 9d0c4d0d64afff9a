/**
 * What can be done with a person's message: its versions, writing it again, and the menu.
 *
 * @module
 */
import type { VNode } from "preact";
import { useContext } from "preact/hooks";
import type { PathTurn } from "../../core/log/entry.ts";
import { Icon } from "../shell/Icon.tsx";
import type { MenuItem } from "../shell/Menu.tsx";
import type { Page } from "../state/page.ts";
import { Actions } from "./actions.ts";
import { copyText } from "./copy_text.ts";
import { TurnMenu } from "./TurnMenu.tsx";

export interface SaidToolsProps {
  readonly turn: PathTurn;
  readonly text: string;
  /** `seq` of the message, for its link. */
  readonly seq: number | null;
  readonly editable: boolean;
}

export function SaidTools({ turn, text, seq, editable }: SaidToolsProps): VNode {
  const { page } = useContext(Actions);
  return (
    <div class="said-tools">
      <Siblings turn={turn} />
      {page && (
        <>
          {editable && (
            <button
              type="button"
              class="tool-button scripted edit-button"
              aria-label={`Edit message ${turn.n}`}
              title="Edit and send again"
              onClick={() => page.versions.edit(turn.id)}
            >
              <Icon name="pen" />
            </button>
          )}
          <TurnMenu label={`More for message ${turn.n}`} items={() => itemsOf(page, turn, text, seq)} />
        </>
      )}
    </div>
  );
}

function itemsOf(page: Page, turn: PathTurn, text: string, seq: number | null): readonly MenuItem[] {
  const { versions, boot } = page;
  const copy = (what: string, words: string) => copyText(page, what, words);
  const link = `${location.origin}${boot.basePath}/c/${turn.conversation}?at=${seq}`;
  return [
    ...text === "" ? [] : [{ icon: "copy", label: "Copy", onChoose: () => copy("message", text) } as const],
    ...seq === null ? [] : [{ icon: "go", label: "Copy the link", onChoose: () => copy("link", link) } as const],
    { icon: "next", label: "Branch from here", onChoose: () => versions.branch(turn.id) },
    {
      icon: "close",
      label: "Delete from here",
      grave: true,
      onChoose: () => versions.asking.value = { kind: "delete", turn },
    },
  ];
}

/** A form, so that the versions can be walked without scripts too. */
function Siblings({ turn }: { turn: PathTurn }): VNode | null {
  const { basePath } = useContext(Actions);
  const count = turn.siblings.length;
  if (count < 2) return null;
  const at = turn.siblings.indexOf(turn.id);
  return (
    <form class="siblings" method="post" action={`${basePath}/c/${turn.conversation}`}>
      <span role="group" aria-label={`Version ${at + 1} of ${count}`}>
        <Step turn={turn} by={-1} />
        <b aria-hidden="true">{at + 1}/{count}</b>
        <Step turn={turn} by={1} />
      </span>
    </form>
  );
}

/** At the end it stays, and keeps the focus, but leads nowhere. */
function Step({ turn, by }: { turn: PathTurn; by: -1 | 1 }): VNode {
  const { page } = useContext(Actions);
  const next = turn.siblings[turn.siblings.indexOf(turn.id) + by];
  return (
    <button
      type="submit"
      class="tool-button"
      name="show"
      value={next}
      aria-label={by < 0 ? "Previous version" : "Next version"}
      aria-disabled={next === undefined ? "true" : undefined}
      title={by < 0 ? "Previous version [" : "Next version ]"}
      onClick={(event) => {
        event.preventDefault();
        page?.versions.step(turn, by);
      }}
    >
      <Icon name={by < 0 ? "prev" : "next"} />
    </button>
  );
}
