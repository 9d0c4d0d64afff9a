/**
 * A formula: its TeX source until the text is final, then set by KaTeX, which is loaded only then.
 *
 * KaTeX builds elements and sets their measures through the style object, so a strict `style-src` holds; its string
 * renderer, which writes style attributes, is never used. Its own output is the only thing inside the element. No formula
 * is set before its styles are there (tests/islands/streaming_browser_test.ts, "formulas stay as they are written").
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

/**
 * Resolves once the page has KaTeX's style sheet: without it a formula is many times as high and says everything twice, and
 * the text would jump there and back. Rejects when it cannot be loaded; the next formula tries again.
 */
function loadStyles(): Promise<void> {
  const link = document.querySelector<HTMLLinkElement>("link[data-katex]") ?? addStyles();
  if (link.sheet) return Promise.resolve();
  return new Promise((resolve, reject) => {
    link.addEventListener("load", () => resolve());
    link.addEventListener("error", () => {
      link.remove();
      reject(new Error("The styles of formulas cannot be loaded"));
    });
  });
}

function addStyles(): HTMLLinkElement {
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.dataset.katex = "";
  link.href = asset("/katex/katex.min.css");
  document.head.append(link);
  return link;
}
