/**
 * What the page can do in its present state, for the palette: each with its key, where it has one.
 *
 * @module
 */
import { toggleKeySheet } from "../keys/sheet.ts";
import type { IconName } from "../shell/Icon.tsx";
import { type KeyId, writtenKeys } from "../keys/table.ts";
import { toDecision } from "../keys/watch.ts";
import { NAME_IT } from "../side/naming.ts";
import { chooseImport } from "../state/importing.ts";
import type { Page } from "../state/page.ts";
import { lastRounds } from "../state/rounds.ts";

/** Something that can be done now. */
export interface Action {
  readonly id: string;
  readonly icon: IconName;
  readonly title: string;
  readonly keys: string;
  readonly run: () => void;
}

/** All of them, those about the conversation in view first. */
export function actionsOf(page: Page): readonly Action[] {
  return [...turnActions(page), ...conversationActions(page), ...pageActions(page)];
}

function turnActions(page: Page): readonly Action[] {
  const row = page.live.conversation.value;
  const last = page.live.transcript.value.turns.at(-1)?.turn;
  if (!row || !last) return [];
  const rounds = lastRounds(page.live.transcript.value);
  const running = page.running.value;
  const cutShort = !running && ["stopped", "failed", "interrupted"].includes(last.status);
  return [
    ...running ? [action("stop", "stop", "Stop the turn", () => page.stop(), "close")] : [],
    ...cutShort ? [action("go-on", "go", "Go on with the turn", () => page.goOn())] : [],
    ...!running
      ? [action("again", "again", "Answer the last message again", () => {
        page.attempt(() => page.api.regenerate(row.id, last.id));
      })]
      : [],
    ...rounds
      ? [action("rounds", "dial", "See what the model was asked", () => {
        page.panel.openRounds(rounds.turn, rounds.index);
      })]
      : [],
  ];
}

function conversationActions(page: Page): readonly Action[] {
  const row = page.live.conversation.value;
  if (!row) return [];
  const exports = `${page.boot.basePath}/api/conversations/${row.id}/export`;
  return [
    action("rename", "pen", "Rename this conversation", () => page.commands.run("rename"), "rename"),
    action("name", "again", NAME_IT, () => page.nameFromContent(row)),
    action("pin", "pin", row.pinned ? "Unpin this conversation" : "Pin this conversation", () => page.pin(row)),
    action("duplicate", "copy", "Duplicate this conversation", () => page.duplicate(row)),
    action("export-md", "save", "Export as Markdown", () => save(`${exports}?format=md`)),
    action("export-jsonl", "save", "Export as JSONL", () => save(`${exports}?format=jsonl&full=true`)),
    action("delete", "close", "Delete this conversation", () => page.deletion.remove(row)),
  ];
}

function pageActions(page: Page): readonly Action[] {
  const deleted = page.deletion.deleted.value;
  const composer = document.getElementById("say");
  return [
    ...deleted
      ? [action("undo", "again", `Undo: bring back “${deleted.row.title}”`, () => page.deletion.undo(), "undo")]
      : [],
    action("new", "plus", "New conversation", () => location.assign(`${page.boot.basePath}/`), "new_conversation"),
    ...composer ? [action("write", "pen", "Write a message", () => composer.focus(), "compose")] : [],
    ...composer ? [action("newest", "go", "Go to the newest text", toNewest, "newest")] : [],
    action("decision", "check", "Go to the oldest decision that waits", () => toDecision(page), "decision"),
    action("import", "plus", "Import a conversation…", () => chooseImport(page)),
    action("side", "side", "Fold the side, or open it", () => page.commands.run("side"), "side"),
    action("theme", "half", "Change the theme", () => page.commands.run("theme")),
    action("sheet", "more", "All keys", toggleKeySheet, "sheet"),
  ];
}

function action(id: string, icon: IconName, title: string, run: () => void, key?: KeyId): Action {
  return { id, icon, title, run, keys: key ? writtenKeys(key) : "" };
}

/** Saves a file without leaving the page (K-289). */
function save(address: string): void {
  const link = document.createElement("a");
  link.href = address;
  link.download = "";
  link.click();
}

function toNewest(): void {
  scrollTo({ top: document.documentElement.scrollHeight });
}
