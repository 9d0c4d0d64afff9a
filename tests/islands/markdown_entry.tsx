/**
 * What the browser test of Markdown runs inside the page: draws texts as they grow and compares with one drawing.
 *
 * @module
 */
// As in the product, where it decides what is drawn again.
import "@preact/signals";
import { render } from "preact";
import { Markdown } from "../../components/markdown/mod.ts";

function draw(root: HTMLElement, text: string, final: boolean): void {
  render(<Markdown text={text} final={final} />, root);
}

/** Fails with the first text and cut whose final elements differ from those of one drawing; gives how many were tried. */
function compareAll(texts: readonly string[]): { tried: number; wrong: string | null } {
  let tried = 0;
  for (const text of texts) {
    const once = document.createElement("div");
    draw(once, text, true);
    for (let cut = 0; cut <= text.length; cut++, tried++) {
      const grown = document.createElement("div");
      draw(grown, text.slice(0, cut), false);
      draw(grown, text, false);
      draw(grown, text, true);
      if (grown.innerHTML !== once.innerHTML) {
        return { tried, wrong: `${JSON.stringify(text)} cut at ${cut}\n${grown.innerHTML}\n${once.innerHTML}` };
      }
      render(null, grown);
    }
    render(null, once);
  }
  return { tried, wrong: null };
}

/** Where two drawings of a text part, and the text. */
function difference(text: string, grown: string, once: string): string {
  const at = Array.from(grown).findIndex((_, index) => grown[index] !== once[index]);
  const near = (html: string) => html.slice(Math.max(0, at - 150), at + 150);
  return `grown ${near(grown)}\nonce  ${near(once)}\nof ${JSON.stringify(text)}`;
}

/** The same for texts that grow by so many characters from beginning to end. */
function compareGrown(texts: readonly string[], piece: number): { tried: number; wrong: string | null } {
  for (const [tried, text] of texts.entries()) {
    const [once, grown] = [document.createElement("div"), document.createElement("div")];
    draw(once, text, true);
    for (let end = piece; end < text.length; end += piece) draw(grown, text.slice(0, end), false);
    draw(grown, text, true);
    if (grown.innerHTML !== once.innerHTML) return { tried, wrong: difference(text, grown.innerHTML, once.innerHTML) };
    render(null, grown);
    render(null, once);
  }
  return { tried: texts.length, wrong: null };
}

interface Touches {
  readonly blocks: number;
  /** How often something changed in a block that had ended before. */
  readonly touched: number;
  /** How long each piece took, layout included, in milliseconds. */
  readonly times: readonly number[];
  /** How long the last drawing took, when the text was final. */
  readonly last: number;
}

/** Draws a text in pieces, as it would stream. */
function touches(text: string, piece: number): Touches {
  const root = document.createElement("div");
  root.className = "prose live";
  document.body.replaceChildren(root);
  const watcher = new MutationObserver(() => {});
  watcher.observe(root, { subtree: true, childList: true, characterData: true, attributes: true });
  let touched = 0;
  const times: number[] = [];
  for (let end = piece; end < text.length; end += piece) {
    const ended = new Set<Node>([...root.children].slice(0, -2));
    const start = performance.now();
    draw(root, text.slice(0, end), false);
    root.getBoundingClientRect();
    times.push(performance.now() - start);
    for (const { target, removedNodes } of watcher.takeRecords()) {
      for (let node: Node | null = target; node && node !== root; node = node.parentNode) {
        touched += ended.has(node) ? 1 : 0;
      }
      for (const node of removedNodes) touched += ended.has(node) ? 1 : 0;
    }
  }
  const start = performance.now();
  root.className = "prose";
  draw(root, text, true);
  root.getBoundingClientRect();
  return { blocks: root.children.length, touched, times, last: performance.now() - start };
}

/** The text of each element that shows a caret, after every character of a text that streams. */
function carets(text: string): readonly (readonly string[])[] {
  const root = document.createElement("div");
  root.className = "prose live";
  document.body.replaceChildren(root);
  return Array.from(text, (_, index) => {
    draw(root, text.slice(0, index + 1), false);
    return [...root.querySelectorAll("*")]
      .filter((element) => getComputedStyle(element, "::after").width === "2px")
      .map((element) => element.textContent ?? "");
  });
}

/** Draws a final text and waits until its listings are read: nothing is left to do once no task came for a while. */
async function print(text: string): Promise<{ keywords: number; longest: number; text: string }> {
  const root = document.createElement("div");
  root.className = "prose";
  document.body.replaceChildren(root);
  let longest = 0;
  const watcher = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) longest = Math.max(longest, duration);
  });
  draw(root, text, true);
  root.getBoundingClientRect();
  // The first drawing is that of plain text; what is measured is the reading.
  await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  watcher.observe({ entryTypes: ["longtask"] });
  const code = root.querySelector("code")!;
  await new Promise<void>((resolve) => {
    let quiet = setTimeout(resolve, 1500);
    new MutationObserver(() => {
      clearTimeout(quiet);
      quiet = setTimeout(resolve, 1500);
    }).observe(code, { subtree: true, childList: true });
  });
  const selection = getSelection()!;
  selection.selectAllChildren(code);
  return { keywords: root.querySelectorAll(".k").length, longest, text: selection.toString() };
}

Object.assign(globalThis, { carets, compareAll, compareGrown, draw, print, touches });
