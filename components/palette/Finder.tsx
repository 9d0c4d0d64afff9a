/**
 * The palette: conversations by title at once, then by what was said in them; actions; pages. A combobox over a list.
 *
 * @module
 */
import { useComputed, useSignal } from "@preact/signals";
import type { VNode } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { Icon } from "../shell/Icon.tsx";
import type { Page } from "../state/page.ts";
import { some } from "../words.ts";
import { actionsOf } from "./actions.ts";
import type { Piece } from "./rank.ts";
import { type Group, groupsFor, type Hit, readWords } from "./results.ts";
import { Search, type SearchState } from "./search.ts";

export interface FinderProps {
  readonly page: Page;
  /** What is typed from the start. */
  readonly typed: string;
  readonly onClose: () => void;
  /** Begins a conversation with this text in the composer. */
  readonly beginWith: (text: string) => void;
}

export function Finder({ page, typed: first, onClose, beginWith }: FinderProps): VNode {
  const dialog = useRef<HTMLDialogElement>(null);
  const typed = useSignal(first);
  /** What the arrows or the pointer chose; `null`: the first. */
  const chosen = useSignal<string | null>(null);
  const search = useMemo(() => new Search({ ask: (words, signal) => page.api.search(words, signal), after }), []);
  const groups = useComputed(() =>
    groupsFor(typed.value, {
      basePath: page.boot.basePath,
      now: page.boot.now,
      rows: page.live.rows.value,
      current: page.live.conversation.value?.id ?? null,
      actions: actionsOf(page),
      found: search.found,
      beginWith,
    })
  );
  useLayoutEffect(() => {
    dialog.current?.showModal();
    return () => search.close();
  }, []);
  const lookFor = (text: string) => {
    const { words, actionsOnly } = readWords(text);
    search.lookFor(actionsOnly ? "" : words);
  };
  useEffect(() => lookFor(first), []);

  /** As of what is typed now: a key may come before the list of what was typed before it is drawn anew. */
  const standing = () => {
    const hits = groups.value.flatMap((group) => group.hits);
    return { hits, selected: hits.find((hit) => hit.id === chosen.value) ?? firstOf(groups.value, search.state.value) };
  };
  const { hits, selected } = standing();
  useEffect(() => {
    const option = selected && document.getElementById(optionId(selected));
    option?.scrollIntoView({ block: selected === hits[0] ? "center" : "nearest" });
  }, [selected?.id]);

  const choose = (hit: Hit | undefined, elsewhere: boolean) => {
    if (!hit) return;
    if (elsewhere && hit.href) return void open(hit.href, "_blank", "noopener");
    dialog.current?.close();
    onClose();
    if (hit.href) location.assign(hit.href);
    else hit.run?.();
  };
  const onKey = (event: KeyboardEvent) => {
    // Nothing of the page behind the dialog hears a key but the one that opens and closes it.
    if (!((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k")) event.stopPropagation();
    if (event.isComposing) return;
    const { hits, selected } = standing();
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step !== 0) {
      const at = selected ? hits.indexOf(selected) : -1;
      chosen.value = hits.at((Math.max(at, step > 0 ? -1 : 0) + step) % Math.max(hits.length, 1))?.id ?? null;
    } else if (event.key === "Enter" && (event.target as Element).closest("button") === null) {
      choose(selected, event.ctrlKey || event.metaKey);
    } else return;
    event.preventDefault();
  };
  return (
    <dialog
      ref={dialog}
      class="dialog palette"
      aria-label="Find anything"
      onKeyDown={onKey}
      onClose={onClose}
      onClick={(event) => event.target === event.currentTarget && event.currentTarget.close()}
    >
      <div class="find">
        <Icon name="find" />
        <label class="sr" for="find">Find a conversation, an action or a page</label>
        <input
          id="find"
          type="text"
          role="combobox"
          aria-expanded="true"
          aria-controls="found"
          aria-autocomplete="list"
          aria-activedescendant={selected ? optionId(selected) : undefined}
          autocomplete="off"
          spellcheck={false}
          enterkeyhint="go"
          placeholder="Find a conversation, an action or a page"
          value={typed.value}
          onInput={(event) => {
            typed.value = event.currentTarget.value;
            chosen.value = null;
            lookFor(typed.value);
          }}
        />
        <button type="button" class="esc" aria-label="Esc, close" onClick={() => dialog.current?.close()}>
          <kbd class="cap">Esc</kbd>
        </button>
      </div>
      <div class="found">
        <div id="found" role="listbox" aria-label="Results" tabIndex={hits.length > 0 ? 0 : -1}>
          {groups.value.map((group, index) => (
            <GroupList
              key={group.name.replace(/, \d+$/, "")}
              group={group}
              index={index}
              selected={selected?.id ?? null}
              onPoint={(hit) => chosen.value = hit.id}
              onChoose={choose}
            />
          ))}
        </div>
        <p class="found-note" role="status">{noteOf(search.state.value, hits.length, page.live.rows.value.length)}</p>
      </div>
      <div class="foot" aria-hidden="true">
        <span>Up, Down to choose</span>
        <span>Enter opens</span>
        <span>Ctrl Enter opens in a new tab</span>
        <span class="wide-only">Type &gt; for actions only</span>
      </div>
    </dialog>
  );
}

interface GroupListProps {
  readonly group: Group;
  readonly index: number;
  readonly selected: string | null;
  readonly onPoint: (hit: Hit) => void;
  readonly onChoose: (hit: Hit, elsewhere: boolean) => void;
}

function GroupList({ group, index, selected, onPoint, onChoose }: GroupListProps): VNode {
  return (
    <div role="group" aria-labelledby={`hits-${index}`} class="hits">
      <div role="presentation" class="hits-name" id={`hits-${index}`}>{group.name}</div>
      {group.hits.map((hit) => (
        <div
          key={hit.id}
          id={optionId(hit)}
          role="option"
          class="hit"
          aria-selected={hit.id === selected}
          onPointerMove={() => hit.id !== selected && onPoint(hit)}
          onClick={(event) => onChoose(hit, event.ctrlKey || event.metaKey)}
        >
          <Icon name={hit.icon} />
          <span class="t">
            <Marked pieces={hit.title} />
          </span>
          <span class="r">{hit.right}</span>
          {hit.detail && (
            <span class="d">
              {hit.detail.note}
              <Marked pieces={hit.detail.pieces} />
            </span>
          )}
        </div>
      ))}
    </div>
  );
}

function Marked({ pieces }: { pieces: readonly Piece[] }): VNode {
  return <>{pieces.map(({ text, hit }, index) => hit ? <mark key={index}>{text}</mark> : text)}</>;
}

function optionId(hit: Hit): string {
  return `hit-${hit.id}`;
}

/** The first line, but while a search runs and no title fits nothing: Enter must not do what stands there only meanwhile. */
function firstOf(groups: readonly Group[], { state }: SearchState): Hit | undefined {
  const first = groups[0];
  if (state === "asking" && (first?.name === "Actions" || first?.name === "Pages")) return undefined;
  return first?.hits[0];
}

function noteOf(search: SearchState, hits: number, rows: number): string {
  switch (search.state) {
    case "rest":
      return hits === 0 ? "Nothing fits" : "";
    case "asking":
      return "";
    case "done":
      return hits === 0 ? "Nothing fits" : `${some(search.found.length, "passage")} found in what was said`;
    case "offline":
      return `Not connected: only the ${some(rows, "title")} held here can be found`;
    case "failed":
      return `What was said could not be searched. ${search.reason}`;
    default:
      return search satisfies never;
  }
}

function after(ms: number, then: () => void): () => void {
  const timer = setTimeout(then, ms);
  return () => clearTimeout(timer);
}
