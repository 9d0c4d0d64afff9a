/**
 * From a page's HTML to Markdown a model reads: the article where there is one, else the page without its navigation.
 *
 * It runs in the reader's own process: what a hostile page does to a parser happens there.
 *
 * Invariants (tests/toolsets/web/html_test.ts)
 * 1. What a person would not see is not given: scripts, styles, templates, and what is hidden.
 * 2. Links lead where they would lead on the page: they are made absolute, and those that are no web links lose their target.
 *
 * @module
 */
import { isProbablyReaderable, Readability } from "@mozilla/readability";
import { parseHTML } from "linkedom";
// @ts-types="@types/turndown"
import TurndownService from "turndown";
import { publishedOf } from "./published.ts";

/** What a page says, and of itself. */
export interface HtmlReading {
  readonly title: string | null;
  readonly byline: string | null;
  /** As the page writes it, usually a date of ISO 8601. */
  readonly published: string | null;
  readonly markdown: string;
}

/** Elements that say nothing to a reader. */
const SILENT =
  "script, style, template, noscript, iframe, frame, object, embed, canvas, svg, link, [hidden], [aria-hidden=true], " +
  "dialog:not([open]), input, select, textarea, button";

/** What surrounds the content of a page that is no article. */
const AROUND = "nav, header nav, footer, aside, [role=navigation], [role=banner], [role=contentinfo]";

/** More elements than this are not searched for an article. */
const MOST_ELEMENTS = 60_000;

/** Reads a page that came from `url`. */
export function readHtml(html: string, url: string): HtmlReading {
  const { document } = parseHTML(/<html[\s>]/i.test(html) ? html : `<!doctype html><html><body>${html}</body></html>`);
  const published = publishedOf(document);
  const title = oneLine(document.querySelector("title")?.textContent);
  makeAbsolute(document, baseOf(document, url));
  for (const element of document.querySelectorAll(SILENT)) element.remove();
  for (const element of document.querySelectorAll("[style]")) if (isHidden(element)) element.remove();
  const article = articleOf(document);
  const root = article ? bodyOf(article.content) : pageBody(document);
  for (const table of [...root.querySelectorAll("table")].reverse()) if (isLayout(table)) flatten(table, root);
  return {
    title: oneLine(article?.title) ?? title,
    byline: withoutBy(oneLine(article?.byline)) ??
      oneLine(document.querySelector("meta[name=author]")?.getAttribute("content")),
    published,
    markdown: converter().turndown(root).replace(/[ \t]+$/gm, "").replace(/\n{3,}/g, "\n\n").trim(),
  };
}

interface Article {
  readonly title: string | null | undefined;
  readonly byline: string | null | undefined;
  readonly content: string;
}

/** The article of a page that has one. Readability takes the document apart, so it is given a copy. */
function articleOf(document: Document): Article | null {
  if (document.querySelectorAll("*").length > MOST_ELEMENTS || !isProbablyReaderable(document)) return null;
  const copy = parseHTML(document.toString()).document;
  const found = new Readability(copy, { keepClasses: true }).parse();
  if (!found?.content) return null;
  const { title, byline, content } = found;
  return { title, byline, content };
}

function bodyOf(content: string): HTMLElement {
  return parseHTML(`<!doctype html><html><body>${content}</body></html>`).document.body;
}

function pageBody(document: Document): HTMLElement {
  const main = document.querySelector<HTMLElement>("main, [role=main]");
  const root = main ?? document.body;
  if (main === null) { for (const element of root.querySelectorAll(AROUND)) element.remove(); }
  return root;
}

function baseOf(document: Document, url: string): string {
  const given = document.querySelector("base[href]")?.getAttribute("href");
  return given ? URL.parse(given, url)?.href ?? url : url;
}

function makeAbsolute(document: Document, base: string): void {
  for (const [selector, attribute] of [["a[href]", "href"], ["img[src]", "src"]] as const) {
    for (const element of document.querySelectorAll(selector)) {
      const to = URL.parse(element.getAttribute(attribute) ?? "", base);
      if (to !== null && /^(?:https?|mailto|tel):$/.test(to.protocol)) element.setAttribute(attribute, to.href);
      else element.removeAttribute(attribute);
    }
  }
}

function isHidden(element: Element): boolean {
  return /(?:display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0(?:\D|$)|opacity\s*:\s*0(?:[^.\d]|$))/i
    .test(element.getAttribute("style") ?? "");
}

/** Whether a table is there for where things stand and not for what they say. */
function isLayout(table: Element): boolean {
  if (table.querySelector("table") !== null) return true;
  return Math.max(0, ...[...table.querySelectorAll("tr")].map((row) => row.children.length)) < 2;
}

function flatten(table: Element, root: HTMLElement): void {
  const { ownerDocument } = root;
  for (const part of [...table.querySelectorAll("td, th, tr, tbody, thead, tfoot"), table]) {
    const block = ownerDocument.createElement("div");
    block.append(...part.childNodes);
    part.replaceWith(block);
  }
}

function converter(): TurndownService {
  const service = new TurndownService({ headingStyle: "atx", codeBlockStyle: "fenced", bulletListMarker: "-" });
  service.addRule("cell", {
    filter: ["th", "td"],
    replacement: (content) => ` ${content.trim().replace(/\s*\n\s*/g, " ").replace(/(?<!\\)\|/g, "\\|")} |`,
  });
  service.addRule("row", {
    filter: "tr",
    replacement: (content, node) => `\n|${content}${isFirstRow(node) ? `\n|${" --- |".repeat(cellsOf(node))}` : ""}`,
  });
  service.addRule("rows", { filter: ["thead", "tbody", "tfoot"], replacement: (content) => content });
  service.addRule("table", { filter: "table", replacement: (content) => `\n\n${content.trim()}\n\n` });
  service.addRule("picture without a place", {
    filter: (node) => node.nodeName === "IMG" && !node.getAttribute("src"),
    replacement: () => "",
  });
  service.addRule("struck", { filter: ["del", "s"], replacement: (content) => `~~${content}~~` });
  return service;
}

function isFirstRow(node: Node): boolean {
  const element = node as Element;
  return element.closest("table")?.querySelector("tr") === element;
}

function cellsOf(node: Node): number {
  return (node as Element).children.length;
}

function withoutBy(byline: string | null): string | null {
  return byline?.replace(/^by:?\s+/i, "") || null;
}

/** A text on one line, or `null` for none. */
function oneLine(text: string | null | undefined): string | null {
  return text?.replace(/\s+/g, " ").trim().slice(0, 300) || null;
}
