/**
 * A button that copies a text and says so.
 *
 * @module
 */
import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Icon } from "./Icon.tsx";

export function CopyButton({ text, label }: { text: string | (() => string); label: string }): VNode {
  const [state, setState] = useState<"rest" | "copied" | "refused">("rest");
  useEffect(() => {
    if (state === "rest") return;
    const timer = setTimeout(() => setState("rest"), 2000);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(typeof text === "string" ? text : text());
      setState("copied");
    } catch {
      setState("refused");
    }
  };
  const said = state === "copied" ? "Copied" : state === "refused" ? "The browser refused" : label;
  return (
    <button type="button" class="tool-button scripted" aria-label={said} title={said} onClick={copy}>
      <Icon name={state === "copied" ? "check" : state === "refused" ? "close" : "copy"} />
    </button>
  );
}
