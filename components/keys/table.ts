/**
 * The keys of the page: one table that both the handlers and the sheet of all keys read, so that they cannot disagree. What
 * each does is said in the sheet (`components/shell/KeySheet.tsx`), which the browser need not load.
 *
 * Invariants (tests/components/keys/table_test.ts pins each)
 * 1. No two keys of the table are the same press.
 * 2. A key is told apart by exactly its modifiers; Ctrl stands for ⌘ too. Marks that need Shift on some keyboards (`?`, `'`)
 *    are told by what they write.
 *
 * @module
 */

/** What a key does, by name. */
export type KeyId =
  | "send"
  | "send_after"
  | "new_line"
  | "edit_last"
  | "compose"
  | "close"
  | "newest"
  | "older_version"
  | "newer_version"
  | "find"
  | "new_conversation"
  | "above"
  | "below"
  | "decision"
  | "allow_once"
  | "allow_turn"
  | "allow_conversation"
  | "deny"
  | "edit_call"
  | "rename"
  | "undo"
  | "side"
  | "landmark"
  | "sheet";

/** One line of the table. */
export interface KeyRow {
  readonly id: KeyId;
  /** As it is written on the page: words with a space between, modifiers first. */
  readonly keys: string;
}

/** All keys, in the order of the sheet. */
export const KEYS: readonly KeyRow[] = [
  { id: "find", keys: "Ctrl K" },
  { id: "new_conversation", keys: "Ctrl Shift O" },
  { id: "above", keys: "Alt ↑" },
  { id: "below", keys: "Alt ↓" },
  { id: "side", keys: "Ctrl B" },
  { id: "decision", keys: "Ctrl '" },
  { id: "allow_once", keys: "A" },
  { id: "allow_turn", keys: "T" },
  { id: "allow_conversation", keys: "C" },
  { id: "deny", keys: "D" },
  { id: "edit_call", keys: "E" },
  { id: "landmark", keys: "F6" },
  { id: "compose", keys: "/" },
  { id: "send", keys: "Enter" },
  { id: "send_after", keys: "Alt Enter" },
  { id: "new_line", keys: "Shift Enter" },
  { id: "edit_last", keys: "↑" },
  { id: "newest", keys: "End" },
  { id: "older_version", keys: "[" },
  { id: "newer_version", keys: "]" },
  { id: "rename", keys: "F2" },
  { id: "undo", keys: "Ctrl Z" },
  { id: "close", keys: "Esc" },
  { id: "sheet", keys: "?" },
];

/** What of a key press tells which key it is; a `KeyboardEvent` is one. */
export interface Press {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
}

/** What the browser calls a key that is written otherwise in the table. */
const NAMES: Readonly<Record<string, string>> = { "↑": "arrowup", "↓": "arrowdown", esc: "escape" };

/** As the table writes it, or an empty text for a key that is not in it. */
export function writtenKeys(id: KeyId): string {
  return KEYS.find((row) => row.id === id)?.keys ?? "";
}

/** Whether a press is this key. */
export function isKey(press: Press, id: KeyId): boolean {
  const words = writtenKeys(id).split(" ");
  const last = (words.at(-1) ?? "").toLowerCase();
  if (press.key.toLowerCase() !== (NAMES[last] ?? last)) return false;
  const command = press.ctrlKey || press.metaKey;
  if (command !== words.includes("Ctrl") || press.altKey !== words.includes("Alt")) return false;
  return isMark(last) || press.shiftKey === words.includes("Shift");
}

/** The key of the table that was pressed; `null` for any other. F6 counts with Shift too: then it goes back. */
export function keyOf(press: Press): KeyId | null {
  const found = KEYS.find((row) => isKey(press, row.id));
  if (found) return found.id;
  const { key, ctrlKey, metaKey, altKey, shiftKey } = press;
  return shiftKey && isKey({ key, ctrlKey, metaKey, altKey, shiftKey: false }, "landmark") ? "landmark" : null;
}

/** What is written with Shift on one keyboard and without on another. */
function isMark(key: string): boolean {
  return key.length === 1 && !/[\p{L}\d]/u.test(key);
}
