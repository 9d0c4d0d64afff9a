/**
 * The colophon: who wrote the answer, how long it took, what it used. What is not known is said, never shown as zero.
 *
 * @module
 */
import type { VNode } from "preact";
import { useContext } from "preact/hooks";
import type { PathTurn, Thinking } from "../../core/log/entry.ts";
import type { TurnView } from "../../core/log/folds/transcript.ts";
import { CopyButton } from "../shell/CopyButton.tsx";
import { Icon } from "../shell/Icon.tsx";
import type { MenuAction, MenuItem } from "../shell/Menu.tsx";
import type { Page } from "../state/page.ts";
import { count, duration, isFree, modelName, money, some } from "../words.ts";
import { Actions } from "./actions.ts";
import { copyText } from "./copy_text.ts";
import { RoundsButton } from "./RoundsButton.tsx";
import { TurnMenu } from "./TurnMenu.tsx";

export function Colophon({ view }: { view: TurnView }): VNode {
  const { page } = useContext(Actions);
  const { turn } = view;
  const answer = () => answerOf(view);
  const hasAnswer = view.blocks.some((block) => block.kind === "text" && block.data.text.trim() !== "");
  return (
    <footer class="colophon">
      <div>
        <ul role="list">{readings(turn).map((reading) => <li key={reading}>{reading}</li>)}</ul>
        <RoundsButton turn={turn.id} run={null} rounds={view.rounds} />
      </div>
      <div class="acts">
        {hasAnswer && <CopyButton text={answer} label="Copy the answer" />}
        {page && (
          <>
            <button
              type="button"
              class="tool-button scripted"
              aria-label="Answer again"
              title="Answer again"
              onClick={() => page.versions.again(turn.id)}
            >
              <Icon name="again" />
            </button>
            <TurnMenu
              label="More for this answer"
              onOpen={() => page.versions.loadModels()}
              items={() => itemsOf(page, turn, hasAnswer ? answer : null)}
            />
          </>
        )}
      </div>
    </footer>
  );
}

function itemsOf(page: Page, turn: PathTurn, answer: (() => string) | null): readonly MenuItem[] {
  const { versions } = page;
  const again = (label: string, thinking: Thinking): MenuAction => ({
    icon: "again",
    label,
    onChoose: () => versions.again(turn.id, { thinking }),
  });
  const model = versions.models.value?.find((choice) => choice.string === turn.model);
  const { more, less } = effortsBeside(turn.thinking);
  return [
    ...answer
      ? [{ icon: "copy", label: "Copy as Markdown", onChoose: () => copyText(page, "answer", answer()) } as const]
      : [],
    {
      icon: "again",
      label: "Answer again with another model",
      onChoose: () => versions.asking.value = { kind: "model", turn },
    },
    ...model?.thinking === false ? [] : [
      ...more === null ? [] : [again("Answer again, thinking more", more)],
      ...less === null ? [] : [again("Answer again, thinking less", less)],
    ],
    { icon: "next", label: "Branch from here", onChoose: () => versions.branch(turn.id) },
  ];
}

/** The efforts above and below one; `null` where there is none. Exported for the tests. */
export function effortsBeside(thinking: Thinking | null): { more: Thinking | null; less: Thinking | null } {
  switch (thinking) {
    case false:
      return { more: "low", less: null };
    case "low":
      return { more: "medium", less: false };
    case "high":
      return { more: null, less: "medium" };
    case null:
    case true:
    case "medium":
      return { more: "high", less: "low" };
    default:
      return thinking satisfies never;
  }
}

/** What a turn or a sub-agent used, in order, its model first. */
export function readings(turn: Pick<PathTurn, "model" | "usage">): readonly string[] {
  const { usage } = turn;
  const models = usage?.models.length ? usage.models : [turn.model];
  const model = [...new Set(models.map(modelName))].join(", then ");
  if (!usage) return [model, "usage not recorded"];
  const list = [model, some(usage.calls, "call"), duration(usage.wall_seconds * 1000)];
  if (usage.calls === 0) return list;
  if (usage.reported_calls === 0) list.push("tokens not reported");
  else {
    list.push(`${count(usage.input_tokens)} in`, `${count(usage.output_tokens)} out`);
    if (usage.reported_calls < usage.calls) {
      list.push(`${some(usage.calls - usage.reported_calls, "call")} not reported`);
    }
  }
  const free = (usage.models.length ? usage.models : [turn.model]).every(isFree);
  list.push(usage.cost !== undefined ? money(usage.cost) : free ? "no cost" : "cost not known");
  return list;
}

function answerOf(view: TurnView): string {
  return view.blocks.flatMap((block) => block.kind === "text" ? [block.data.text.trim()] : []).filter((text) =>
    text !== ""
  )
    .join("\n\n");
}
