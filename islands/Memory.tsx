/**
 * The memory page: what is remembered, to read, search, write, change and remove. Without scripts it can be read and searched.
 *
 * @module
 */
import type { VNode } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Field } from "../components/memory/Field.tsx";
import { Item } from "../components/memory/Item.tsx";
import { Memories, type MemoryRows } from "../components/memory/memories.ts";
import { Icon } from "../components/shell/Icon.tsx";
import type { Boot } from "../components/state/boot.ts";
import { pageOf } from "../components/state/page.ts";
import { some } from "../components/words.ts";

/** How long typing rests before it is searched for, in milliseconds. */
const REST_MS = 200;

export interface MemoryProps {
  readonly boot: Boot;
  readonly first: MemoryRows;
  /** What was searched for when the page was opened. */
  readonly query: string;
}

export default function Memory({ boot, first, query }: MemoryProps): VNode {
  const page = pageOf(boot);
  const made = useRef<Memories | null>(null);
  const memories = made.current ??= new Memories({
    first,
    query,
    calls: page.api.memories,
    attempt: (work) => page.attempt(work),
  });
  const { items, next, count } = memories.rows.value;
  const searched = memories.query.value;
  return (
    <>
      <Search memories={memories} query={query} />
      <p class="memory-count help" role="status">
        {searched === ""
          ? count === 0 ? "" : `${some(count, "memory", "memories")}, the newest first`
          : `${some(items.length, "memory", "memories")} for “${searched}”, the best match first`}
      </p>
      <Adding memories={memories} />
      {items.length > 0 && (
        <ul role="list" class="rules memories" aria-label="Memories">
          {items.map((memory) => <Item key={memory.id} memory={memory} memories={memories} basePath={boot.basePath} />)}
        </ul>
      )}
      {items.length === 0 && searched !== "" && <p class="help">Nothing like that is remembered.</p>}
      {items.length === 0 && searched === "" && <Empty />}
      {next !== null && (
        <p class="older">
          <a
            href={`?before=${encodeURIComponent(next)}`}
            onClick={(event) => {
              event.preventDefault();
              memories.more();
            }}
          >
            Older memories
          </a>
        </p>
      )}
    </>
  );
}

/** A form, so that it works without scripts; with them it searches while one types, and the address says for what. */
function Search({ memories, query }: { memories: Memories; query: string }): VNode {
  const resting = useRef<ReturnType<typeof setTimeout>>();
  useEffect(() => () => clearTimeout(resting.current), []);
  const search = (text: string) => {
    clearTimeout(resting.current);
    const address = text.trim() === "" ? location.pathname : `?q=${encodeURIComponent(text.trim())}`;
    history.replaceState(history.state, "", address);
    memories.search(text);
  };
  return (
    <form
      class="memory-search"
      role="search"
      method="get"
      onSubmit={(event) => {
        event.preventDefault();
        const field = event.currentTarget.elements.namedItem("q");
        if (field instanceof HTMLInputElement) search(field.value);
      }}
    >
      <Icon name="find" />
      <input
        class="field-box"
        type="search"
        name="q"
        aria-label="Search the memories"
        placeholder="Search by meaning or words"
        defaultValue={query}
        dir="auto"
        autocomplete="off"
        onInput={({ currentTarget: { value } }) => {
          clearTimeout(resting.current);
          resting.current = setTimeout(() => search(value), REST_MS);
        }}
      />
    </form>
  );
}

function Adding({ memories }: { memories: Memories }): VNode {
  const close = () => {
    memories.edit(null);
    requestAnimationFrame(() => document.getElementById("add-memory")?.focus());
  };
  if (memories.editing.value === "") {
    return (
      <div class="adding">
        <Field
          label="A fact to remember"
          text=""
          button="Remember"
          busy={memories.busy.value}
          onKeep={async (text) => {
            if (await memories.keep("", text)) close();
          }}
          onDrop={close}
        />
      </div>
    );
  }
  return (
    <p class="adding scripted">
      <button type="button" class="button" id="add-memory" onClick={() => memories.edit("")}>
        <Icon name="plus" />
        Add a memory
      </button>
    </p>
  );
}

function Empty(): VNode {
  return (
    <div class="empty">
      <p>
        Nothing is remembered yet. When you tell your assistant something that lasts — a name, a preference, a plan — it
        can store it here and find it again in any conversation.
      </p>
      <p class="help">
        Memories stay on this machine, in the same file as your conversations. What is stored is shown to the model only
        when it looks for it.
      </p>
    </div>
  );
}
