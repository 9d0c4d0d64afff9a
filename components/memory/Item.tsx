/**
 * One memory in the list: its text, when and where it came from, and what can be done with it.
 *
 * @module
 */
import type { VNode } from "preact";
import { day } from "../words.ts";
import { Field } from "./Field.tsx";
import type { Memories, ShownMemory } from "./memories.ts";

export interface ItemProps {
  readonly memory: ShownMemory;
  readonly memories: Memories;
  readonly basePath: string;
}

export function Item({ memory, memories, basePath }: ItemProps): VNode {
  const { id } = memory;
  if (memories.removed.value.has(id)) return <Removed id={id} memories={memories} />;
  if (memories.editing.value === id) {
    return (
      <li id={`memory-${id}`}>
        <Field
          label="The fact"
          text={memory.text}
          button="Save"
          busy={memories.busy.value}
          onKeep={async (text) => {
            if (await memories.keep(id, text)) focus(`edit-${id}`);
          }}
          onDrop={() => {
            memories.edit(null);
            focus(`edit-${id}`);
          }}
        />
      </li>
    );
  }
  const changed = memory.updated_at !== memory.created_at;
  return (
    <li id={`memory-${id}`}>
      <div>
        <p class="fact" id={`fact-${id}`} dir="auto">{memory.text}</p>
        <p class="help">
          {changed ? "Changed" : "Stored"} on {day(memory.updated_at)}
          {memory.origin === null ? ", written by you" : (
            <>
              , from a <a href={`${basePath}/c/${memory.origin}`}>conversation</a>
            </>
          )}
        </p>
      </div>
      <p class="acts scripted">
        <button
          type="button"
          class="button small"
          id={`edit-${id}`}
          aria-labelledby={`edit-${id} fact-${id}`}
          onClick={() => memories.edit(id)}
        >
          Edit
        </button>
        <button
          type="button"
          class="button small"
          id={`remove-${id}`}
          aria-labelledby={`remove-${id} fact-${id}`}
          onClick={async () => {
            if (await memories.remove(id)) focus(`undo-${id}`);
          }}
        >
          Forget
        </button>
      </p>
    </li>
  );
}

function Removed({ id, memories }: { id: string; memories: Memories }): VNode {
  return (
    <li id={`memory-${id}`} class="gone">
      <p class="help" role="status">Forgotten. For ten minutes it can be brought back.</p>
      <p class="acts">
        <button
          type="button"
          class="link"
          id={`undo-${id}`}
          onClick={async () => {
            if (await memories.undo(id)) focus(`remove-${id}`);
          }}
        >
          Undo
        </button>
      </p>
    </li>
  );
}

/** After the next drawing, so that what takes the focus is there. */
function focus(id: string): void {
  requestAnimationFrame(() => document.getElementById(id)?.focus());
}
