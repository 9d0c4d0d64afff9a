/**
 * Files that are dropped anywhere on the column, or pasted into the field, are attached.
 *
 * @module
 */
import { useEffect } from "preact/hooks";
import { isTyping } from "../side/keys.ts";
import { LONG_PASTE } from "../state/attachments.ts";
import type { Page } from "../state/page.ts";

/** Listens while the composer stands, and brings back what was attached to the draft in view. */
export function useDropAndPaste(page: Page, field: { readonly current: HTMLTextAreaElement | null }): void {
  const conversation = page.live.conversation.value?.id ?? null;
  useEffect(() => page.attachments.open(conversation), [conversation]);
  useEffect(() => watchDragging(page), []);
  useEffect(() => watchPasting(page, field), []);
  const inserted = page.attachments.inserted.value;
  useEffect(() => {
    if (inserted === null || !field.current) return;
    insert(field.current, inserted);
    page.attachments.inserted.value = null;
  }, [inserted]);
}

function watchDragging({ attachments }: Page): () => void {
  // `dragleave` is told for every part the pointer leaves; only as many as were entered are all of them.
  let inside = 0;
  const over = new AbortController();
  const listen = (type: "dragenter" | "dragover" | "dragleave" | "drop", take: (event: DragEvent) => void) =>
    document.addEventListener(type, (event) => hasFiles(event) && take(event), { signal: over.signal });
  const leave = () => {
    inside = 0;
    attachments.dragging.value = false;
  };
  listen("dragenter", (event) => {
    event.preventDefault();
    inside++;
    attachments.dragging.value = true;
  });
  listen("dragover", (event) => {
    event.preventDefault();
    if (event.dataTransfer) event.dataTransfer.dropEffect = "copy";
  });
  listen("dragleave", () => {
    inside--;
    if (inside <= 0) leave();
  });
  listen("drop", (event) => {
    event.preventDefault();
    leave();
    attachments.add([...event.dataTransfer?.files ?? []]);
    document.getElementById("say")?.focus();
  });
  return () => over.abort();
}

function hasFiles({ dataTransfer }: DragEvent): boolean {
  return dataTransfer?.types.includes("Files") ?? false;
}

function watchPasting({ attachments }: Page, field: { readonly current: HTMLTextAreaElement | null }): () => void {
  const onPaste = (event: ClipboardEvent) => {
    const inField = event.target === field.current;
    if (event.defaultPrevented || !event.clipboardData || (!inField && isTyping(event.target))) return;
    const text = event.clipboardData.getData("text/plain");
    const files = [...event.clipboardData.files];
    // A piece of a document or a table brings its picture with it; what is meant is the text.
    if (files.length > 0 && text === "") {
      event.preventDefault();
      attachments.add(files.map(named));
    } else if (inField && text.length > LONG_PASTE) {
      event.preventDefault();
      attachments.addText(text);
    }
  };
  addEventListener("paste", onPaste);
  return () => removeEventListener("paste", onPaste);
}

/** A picture from the clipboard is always called `image.png`: the time tells several of them apart. */
function named(file: File): File {
  if (file.name !== "image.png") return file;
  const time = new Date().toTimeString().slice(0, 8).replaceAll(":", ".");
  return new File([file], `Pasted picture ${time}.png`, { type: file.type });
}

/** Puts the text where the caret is, as if it were typed. */
function insert(field: HTMLTextAreaElement, text: string): void {
  field.focus();
  field.setRangeText(text, field.selectionStart, field.selectionEnd, "end");
  field.dispatchEvent(new InputEvent("input", { bubbles: true, inputType: "insertFromPaste" }));
}
