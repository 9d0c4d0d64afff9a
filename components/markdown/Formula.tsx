/**
 * A formula: its TeX source until the text is final, then set by KaTeX, which is loaded only then.
 *
 * KaTeX builds elements and sets their measures through the style object, so a strict `style-src` holds; its string
 * renderer, which writes style attributes, is never used. Its own output is the only thing inside the element.
 *
 * @module
 */
import type { VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { asset } from "fresh/runtime";

export interface FormulaProps {
  readonly source: string;
  readonly display: boolean;
  /** As it was written, marks included: shown until it is set. */
  readonly raw: string;
  readonly final: boolean;
  /** Whether it is being written. */
  readonly tip?: boolean;
}

export function Formula({ source, display, raw, final, tip }: FormulaProps): VNode {
  const place = useRef<HTMLSpanElement>(null);
  const [setFor, setSetFor] = useState<string | null>(null);
  useEffect(() => {
    if (!final) return;
    let wanted = true;
    typeset(source, display).then((made) => {
      if (!wanted || !place.current) return;
      place.current.replaceChildren(made);
      setSetFor(source);
    }, () => {});
    return () => {
      wanted = false;
    };
  }, [source, display, final]);
  const style = display ? "formula display" : "formula";
  if (final && setFor === source) return <span key="set" class={style} ref={place} />;
  return <span key="set" class={`${style} source${tip ? " tip" : ""}`} ref={place}>{raw.trim()}</span>;
}

/** One element with the formula in it. Rejects when KaTeX cannot be loaded or does not understand the source. */
async function typeset(source: string, displayMode: boolean): Promise<Element> {
  const [{ default: katex }] = await Promise.all([import("katex"), loadStyles()]);
  const element = document.createElement("span");
  katex.render(source, element, { displayMode, throwOnError: true, trust: false, maxSize: 40, maxExpand: 400 });
  return element;
}

function loadStyles(): Promise<void> {
  if (document.querySelector("link[data-katex]")) return Promise.resolve();
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.dataset.katex = "";
  link.href = asset("/katex/katex.min.css");
  return new Promise((resolve) => {
    link.onload = link.onerror = () => resolve();
    document.head.append(link);
  });
}
