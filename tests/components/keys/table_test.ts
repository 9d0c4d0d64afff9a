import assert from "node:assert/strict";
import { isKey, keyOf, KEYS, type Press, writtenKeys } from "../../../components/keys/table.ts";

function press(key: string, held: Partial<Press> = {}): Press {
  return { key, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...held };
}

/** A press as a keyboard makes it for a line of the table. */
function pressOf(keys: string): Press {
  const words = keys.split(" ");
  const names: Record<string, string> = { "↑": "ArrowUp", "↓": "ArrowDown", Esc: "Escape" };
  const last = words.at(-1)!;
  return press(names[last] ?? last, {
    ctrlKey: words.includes("Ctrl"),
    altKey: words.includes("Alt"),
    shiftKey: words.includes("Shift"),
  });
}

Deno.test("each key of the table is told by its own press, and no two are the same", () => {
  for (const { id, keys } of KEYS) assert.equal(keyOf(pressOf(keys)), id, keys);
  assert.equal(new Set(KEYS.map(({ keys }) => keys)).size, KEYS.length);
  assert.equal(new Set(KEYS.map(({ id }) => id)).size, KEYS.length);
});

Deno.test("⌘ stands for Ctrl, and capitals do not matter", () => {
  assert.equal(keyOf(press("k", { metaKey: true })), "find");
  assert.equal(keyOf(press("K", { ctrlKey: true })), "find");
  assert.equal(keyOf(press("O", { ctrlKey: true, shiftKey: true })), "new_conversation");
});

Deno.test("other modifiers make it another key, or none", () => {
  assert.equal(keyOf(press("k", { ctrlKey: true, shiftKey: true })), null);
  assert.equal(keyOf(press("k", { ctrlKey: true, altKey: true })), null);
  assert.equal(keyOf(press("k")), null);
  assert.equal(keyOf(press("ArrowUp")), "edit_last");
  assert.equal(keyOf(press("ArrowUp", { altKey: true })), "above");
  assert.equal(keyOf(press("Enter", { shiftKey: true })), "new_line");
  assert.equal(keyOf(press("z", { ctrlKey: true, shiftKey: true })), null, "redo is the text's");
});

Deno.test("a mark counts with Shift and without: keyboards differ", () => {
  assert.equal(keyOf(press("?", { shiftKey: true })), "sheet");
  assert.equal(keyOf(press("'", { ctrlKey: true })), "decision");
  assert.equal(keyOf(press("/", { shiftKey: true })), "compose");
});

Deno.test("F6 with Shift is F6, going back", () => {
  assert.equal(keyOf(press("F6", { shiftKey: true })), "landmark");
  assert.equal(keyOf(press("F6", { ctrlKey: true })), null);
  assert.equal(isKey(press("F2", { shiftKey: true }), "rename"), false);
});

Deno.test("keys are written in one place", () => {
  assert.equal(writtenKeys("find"), "Ctrl K");
  assert.equal(writtenKeys("side"), "Ctrl B");
});
