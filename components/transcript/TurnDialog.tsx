/**
 * What cannot be undone, or needs a form: deleting from a turn on, and choosing the model that answers again.
 *
 * @module
 */
import type { ComponentChildren, VNode } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { Asking } from "../state/versions.ts";
import type { ModelChoice } from "../state/api.ts";
import type { Page } from "../state/page.ts";
import { count, inWords, modelName } from "../words.ts";

/** The dialog that `page.versions.asking` calls for; one a page. */
export function TurnDialog({ page }: { page: Page }): VNode | null {
  const asking = page.versions.asking.value;
  if (!asking) return null;
  return asking.kind === "delete"
    ? <DeleteDialog key={asking.turn.id} page={page} asking={asking} />
    : <ModelDialog key={asking.turn.id} page={page} asking={asking} />;
}

interface FrameProps {
  readonly page: Page;
  readonly title: string;
  readonly children: ComponentChildren;
}

/** Modal; Escape and a click beside it close it, and the focus goes back. */
function Frame({ page, title, children }: FrameProps): VNode {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    dialog.current?.querySelector<HTMLElement>("[data-first]")?.focus();
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      class="dialog"
      aria-labelledby="turn-dialog"
      onClose={() => page.versions.asking.value = null}
      onClick={({ target, currentTarget }) => target === currentTarget && currentTarget.close()}
    >
      <div class="body">
        <h2 id="turn-dialog">{title}</h2>
        {children}
      </div>
    </dialog>
  );
}

interface AskingProps {
  readonly page: Page;
  readonly asking: Asking;
}

function DeleteDialog({ page, asking: { turn } }: AskingProps): VNode {
  const { turns } = page.live.transcript.peek();
  const from = turns.findIndex((view) => view.turn.id === turn.id);
  const going = from < 0 ? [] : turns.slice(from);
  const many = Math.max(going.length, 1);
  const others = turn.siblings.length > 1;
  const below = going.slice(1).some((view) => view.turn.siblings.length > 1);
  const what = many === 1 ? "One turn goes" : `${inWords(many, true)} turns${below ? " and their versions" : ""} go`;
  const close = () => page.versions.asking.value = null;
  const remove = async () => {
    close();
    if (await page.versions.truncate(turn.id)) document.getElementById("say")?.focus({ preventScroll: true });
  };
  return (
    <Frame page={page} title={many === 1 ? `Delete turn ${turn.n}?` : `Delete turn ${turn.n} and what follows?`}>
      <p>
        {what}. {others && `The other versions of turn ${turn.n} stay. `}Files {many === 1 ? "it" : "they"}{" "}
        wrote stay. This cannot be undone
      </p>
      <p class="acts">
        <button type="button" class="button" data-first onClick={close}>Keep</button>
        <button type="button" class="button danger" onClick={remove}>
          Delete {many === 1 ? "one turn" : `${inWords(many)} turns`}
        </button>
      </p>
    </Frame>
  );
}

/** Without the ones that cannot answer as things stand. */
function ModelDialog({ page, asking: { turn } }: AskingProps): VNode {
  useEffect(() => void page.versions.loadModels(), []);
  const models = page.versions.models.value;
  const shown = models?.filter((model) => model.reachable !== false);
  const close = () => page.versions.asking.value = null;
  return (
    <Frame page={page} title={`Answer turn ${turn.n} again with`}>
      {!shown
        ? <p role="status">Asking which models there are</p>
        : shown.length === 0
        ? <p>No model answers now. Start one on this machine, or add a key in config.toml</p>
        : (
          <ul class="model-list" role="list">
            {shown.map((model, index) => (
              <li key={model.string}>
                <button
                  type="button"
                  data-first={index === 0 ? "" : undefined}
                  disabled={model.needs_key !== null}
                  aria-current={model.string === turn.model ? "true" : undefined}
                  onClick={() => {
                    close();
                    page.versions.again(turn.id, { model: model.string });
                  }}
                >
                  <bdi class="name">{modelName(model.string)}</bdi>
                  <span class="note">{noteOf(model, turn.model)}</span>
                </button>
              </li>
            ))}
          </ul>
        )}
      <p class="acts">
        <button type="button" class="button" onClick={close}>Cancel</button>
      </p>
    </Frame>
  );
}

function noteOf(model: ModelChoice, answered: string): string {
  const notes = [
    model.string === answered ? "answered this" : "",
    model.needs_key !== null ? `needs ${model.needs_key}` : model.provider,
    model.context_window ? `${count(model.context_window)} tokens` : "",
  ];
  return notes.filter((note) => note !== "").join(", ");
}
