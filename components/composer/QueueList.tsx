/**
 * What is on its way, above the field: where each message is, and what can still be done about it.
 *
 * @module
 */
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { Entry } from "../../core/log/entry.ts";
import { Icon } from "../shell/Icon.tsx";
import type { Page } from "../state/page.ts";
import type { Waiting, Whereabouts } from "../state/queue.ts";
import { toEnd } from "../transcript/mod.ts";
import { clip, some } from "../words.ts";
import { keepFocus } from "./pressing.ts";
import { QueueField } from "./QueueField.tsx";

export function QueueList({ page }: { page: Page }): VNode | null {
  const items = page.queue.items.value;
  const read = page.queue.read.value;
  if (items.length === 0 && read === null) return null;
  return (
    <>
      {items.length > 0 && (
        <ul class="queue" role="list" aria-label="Waiting to be read" onMouseDown={keepFocus}>
          {items.map((item) => <Line key={item.key} page={page} item={item} />)}
        </ul>
      )}
      {read && <Read page={page} item={read} />}
    </>
  );
}

function Line({ page, item }: { page: Page; item: Waiting }): VNode {
  const [editing, setEditing] = useState(false);
  const { queue } = page;
  const title = item.text === "" ? namesOf(item) : item.text;
  if (editing) {
    return (
      <li class="editing">
        <span class="kind">{kindOf(item.where)}</span>
        <QueueField
          text={item.text}
          onKeep={(text) => {
            setEditing(false);
            queue.edit(item, text);
          }}
          onDrop={() => setEditing(false)}
        />
      </li>
    );
  }
  return (
    <li>
      <span class="kind">{kindOf(item.where)}</span>
      <span class="what" title={clip(title, 400)}>{clip(title, 400)}</span>
      {item.where === "refused"
        ? (
          <span class="where">
            <span class="bad">Not sent.</span> {item.outgoing?.problem}
          </span>
        )
        : <span class="where">{WORDS[item.where]}{carries(item)}</span>}
      {item.where !== "going" && (
        <span class="acts">
          <SendNow page={page} item={item} />
          <button type="button" class="link" onClick={() => setEditing(true)}>Edit</button>
          <button
            type="button"
            class="tool-button"
            aria-label="Take back into the composer"
            title="Take back into the composer"
            onClick={() => queue.takeBack(item)}
          >
            <Icon name="close" />
          </button>
        </span>
      )}
    </li>
  );
}

/** Where it would change something: a message in line can go into the answer, or to the front; a refused one again. */
function SendNow({ page, item }: { page: Page; item: Waiting }): VNode | null {
  const { queue, running } = page;
  const say = (label: string) => <button type="button" class="link" onClick={() => queue.sendNow(item)}>{label}
  </button>;
  switch (item.where) {
    case "refused":
    case "held":
      return say("Try again");
    case "turn": {
      const isFirst = queue.items.value.find(({ where }) => where === "turn")?.key === item.key;
      const isBare = item.images.length + item.files.length === 0;
      return running.value && (isBare || !isFirst) ? say(isBare ? "Send now" : "Put first") : null;
    }
    case "step":
    case "unsent":
    case "going":
      return null;
    default:
      return item.where satisfies never;
  }
}

/** What was to be changed was read a moment before. */
function Read({ page, item }: { page: Page; item: Waiting }): VNode {
  const close = () => {
    page.queue.read.value = null;
    document.getElementById("say")?.focus();
  };
  return (
    <div class="notice queue-read" role="status">
      <span>
        “{clip(item.text === "" ? namesOf(item) : item.text, 60)}” was read a moment ago and stands as it was.
      </span>
      <span class="acts">
        <button
          type="button"
          class="link"
          onClick={() => {
            showWhereItWent(page, item);
            close();
          }}
        >
          Show it
        </button>
        <button type="button" class="link" onClick={close}>Close</button>
      </span>
    </div>
  );
}

/** Goes to the place in the transcript where a message stands now. */
function showWhereItWent(page: Page, { key, text }: Waiting): void {
  const view = page.live.transcript.peek().turns.findLast(({ entries }) => entries.some((entry) => isFrom(entry, key)));
  const section = document.querySelector(`article[aria-label="Turn ${view?.turn.n}"]`);
  const blocks = [...section?.querySelectorAll(".joined, .said, .notice") ?? []];
  const place = blocks.findLast((block) => block.textContent?.includes(text.slice(0, 60))) ?? section;
  if (place) place.scrollIntoView({ block: "center" });
  else toEnd();
}

/** Whether an entry is what became of the message with this token. */
function isFrom({ kind, data }: Entry, token: string): boolean {
  switch (kind) {
    case "user":
      return data.token === token || (data.tokens?.includes(token) ?? false);
    case "inbox":
    case "undelivered":
      return data.token === token;
    default:
      return false;
  }
}

/** The word in the margin. */
function kindOf(where: Whereabouts): string {
  return where === "step" ? "now" : "next";
}

const WORDS: Readonly<Record<Exclude<Whereabouts, "refused">, string>> = {
  step: "read at the next step",
  turn: "next turn",
  going: "sending",
  held: "not connected",
  unsent: "not sent yet",
};

/** `, 2 pictures, 1 file` */
function carries({ images, files }: Waiting): string {
  const parts = [
    images.length > 0 ? some(images.length, "picture") : "",
    files.length > 0 ? some(files.length, "file") : "",
  ].filter((part) => part !== "");
  return parts.length > 0 ? `, ${parts.join(", ")}` : "";
}

function namesOf({ images, files }: Waiting): string {
  return [...images, ...files].map(({ name }) => name).join(", ");
}
