/**
 * Markdown on the page: the one function that turns text into what is shown, on the server and in the browser alike.
 *
 * The parser's tokens become Preact nodes directly. No string of HTML is ever made, so there is nothing to sanitise and
 * nothing in the product that sets HTML: tags written in a text are shown as the characters they are. What remains to be
 * checked is where a link leads and what a picture loads, and that is done here.
 *
 * Invariants (tests/components/markdown/markdown_test.ts and tests/islands/markdown_browser_test.ts pin each)
 * 1. Only elements named in this file are made, and no attribute but those written here.
 * 2. Links lead to `http`, `https` or `mailto`, or are plain text; pictures load from this origin only.
 * 3. Once a text is final, the page shows exactly what one parse of the whole gives, however it arrived.
 *
 * @module
 */
import type { ComponentChildren, VNode } from "preact";
import { useRef } from "preact/hooks";
import type { Tokens } from "marked";
import { growMarkdown, type MarkdownDocument, type MarkdownToken, shownBlocks } from "./document.ts";
import { decodeEntities } from "./entities.ts";
import { Formula } from "./Formula.tsx";
import { Growing } from "./Growing.tsx";
import { isShown, LONGEST_PARAGRAPH } from "./lexer.ts";
import { Listing } from "./Listing.tsx";
import { LongText } from "./LongText.tsx";
import type { MathToken } from "./math.ts";
import { safeLink } from "./safe_link.ts";
import { Table } from "./Table.tsx";

/** Deeper nesting than this is shown as its source: no text needs it, and a stack has an end. */
const DEEPEST = 40;

/** Shows a text that may still grow. `final` says that it will not; only then are formulas set. */
export function Markdown({ text, final }: { text: string; final: boolean }): VNode {
  const held = useRef<MarkdownDocument>();
  const document = held.current = growMarkdown(held.current, text, final);
  return <Drawn document={document} />;
}

/** Shows a document as it stands. */
export function Drawn({ document }: { document: MarkdownDocument }): VNode {
  const { final, links } = document;
  return <Sequence tokens={shownBlocks(document)} at={{ final, links, depth: 0, tip: !final }} />;
}

/** Blocks one after the other, each drawn again only when it says something else. */
function Sequence({ tokens, at }: { tokens: readonly MarkdownToken[]; at: Place }): VNode {
  return (
    <Growing
      items={tokens}
      draw={(token, isTip) => block(token, { ...at, tip: isTip })}
      isOther={isOther}
      final={at.final}
      hasTip={at.tip}
      version={at.links}
    />
  );
}

function isOther(held: MarkdownToken, next: MarkdownToken, becomesFinal: boolean): boolean {
  if (becomesFinal && hasFormula(next.raw)) return true;
  return held !== next && (held.raw !== next.raw || held.type !== next.type);
}

/** Cheap and on the safe side. */
function hasFormula(raw: string): boolean {
  return /[$]|\\[([]/.test(raw);
}

interface Place {
  readonly final: boolean;
  readonly links: string;
  /** Whether it is the block that is being written: a caret stands at its end (malama.css, `.tip`). */
  readonly tip: boolean;
  readonly depth: number;
}

function block(token: MarkdownToken, at: Place): ComponentChildren {
  const tip = at.tip ? "tip" : undefined;
  if (at.depth > DEEPEST) return <p>{token.raw}</p>;
  switch (token.type) {
    case "paragraph":
      if (token.text.length > LONGEST_PARAGRAPH) return <LongText text={token.text} tip={at.tip} final={at.final} />;
      return <p class={tip}>{inline(token.tokens, at)}</p>;
    case "heading":
      return heading(token as Tokens.Heading, at);
    case "code":
      return <Listing text={token.text} language={(token.lang ?? "").trim()} tip={at.tip} />;
    case "list":
      return list(token as Tokens.List, at);
    case "blockquote":
      return <blockquote class={tip} dir="auto">{quoted(token as Tokens.Blockquote, at)}</blockquote>;
    case "table":
      return (
        <Table
          token={token as Tokens.Table}
          cell={(tokens) => inline(tokens, at)}
          final={at.final}
          links={at.links}
          tip={at.tip}
          hasFormula={hasFormula}
        />
      );
    case "hr":
      return <hr />;
    case "math":
      return <Formula source={(token as MathToken).source} display raw={token.raw} final={at.final} tip={at.tip} />;
    case "html":
      return <p class={at.tip ? "raw-html tip" : "raw-html"}>{token.raw.trim()}</p>;
    case "text":
      return token.tokens ? inline(token.tokens, at) : decodeEntities(token.text);
    case "space":
    case "def":
      return null;
    case "checkbox":
      return <Checkbox checked={token.checked} />;
    default:
      return <p class={tip}>{token.raw}</p>;
  }
}

function blocks(tokens: readonly MarkdownToken[] | undefined, at: Place): ComponentChildren {
  return (tokens ?? []).map((token) => block(token, { ...at, tip: false, depth: at.depth + 1 }));
}

/** h1 is the title of the page and h2 the turn, so a text's own headings begin two lower. */
function heading(token: Tokens.Heading, at: Place): VNode {
  const children = inline(token.tokens, at);
  const tip = at.tip ? "tip" : undefined;
  if (token.depth === 1) return <h3 class={tip}>{children}</h3>;
  if (token.depth === 2) return <h4 class={tip}>{children}</h4>;
  if (token.depth === 3) return <h5 class={tip}>{children}</h5>;
  return <h6 class={tip}>{children}</h6>;
}

function quoted(token: Tokens.Blockquote, at: Place): VNode {
  return (
    <Sequence
      tokens={token.tokens.filter(isShown) as MarkdownToken[]}
      at={{ ...at, tip: false, depth: at.depth + 1 }}
    />
  );
}

function list(token: Tokens.List, at: Place): VNode {
  const items = (
    <Growing
      items={token.items}
      draw={(item) => <li class={item.task ? "task" : undefined}>{blocks(item.tokens as MarkdownToken[], at)}</li>}
      isOther={(held, next, becomesFinal) => held.loose !== next.loose || isOther(held, next, becomesFinal)}
      final={at.final}
      version={at.links}
    />
  );
  const tip = at.tip ? "tip" : undefined;
  if (!token.ordered) return <ul class={tip} dir="auto">{items}</ul>;
  const start = token.start === 1 || token.start === "" ? undefined : Number(token.start);
  return <ol class={tip} dir="auto" start={start}>{items}</ol>;
}

function Checkbox({ checked }: { checked: boolean }): VNode {
  return <input type="checkbox" disabled checked={checked} aria-label={checked ? "done" : "to do"} />;
}

function inline(tokens: readonly MarkdownToken[] | undefined, at: Place): ComponentChildren {
  return (tokens ?? []).map((token) => span(token, { ...at, depth: at.depth + 1 }));
}

function span(token: MarkdownToken, at: Place): ComponentChildren {
  if (at.depth > DEEPEST) return token.raw;
  switch (token.type) {
    case "text":
      return token.tokens ? inline(token.tokens, at) : decodeEntities(token.text);
    case "escape":
      return token.text;
    case "strong":
      return <strong>{inline(token.tokens, at)}</strong>;
    case "em":
      return <em>{inline(token.tokens, at)}</em>;
    case "del":
      return <del>{inline(token.tokens, at)}</del>;
    case "codespan":
      return <code>{token.text}</code>;
    case "br":
      return <br />;
    case "link":
      return link(token as Tokens.Link, at);
    case "image":
      return picture(token as Tokens.Image);
    case "math":
      return <Formula source={token.source} display={token.display} raw={token.raw} final={at.final} />;
    case "html":
      return /^<br\s*\/?>$/i.test(token.raw) ? <br /> : token.raw;
    case "checkbox":
      return <Checkbox checked={token.checked} />;
    default:
      return token.raw;
  }
}

function link(token: Tokens.Link, at: Place): ComponentChildren {
  const children = inline(token.tokens, at);
  const href = safeLink(token.href);
  if (!href) return <span>{children}</span>;
  const title = token.title ? decodeEntities(token.title) : undefined;
  return <a href={href} title={title} rel="noopener noreferrer" target="_blank">{children}</a>;
}

/** A picture of our own is shown. Another host's is a line that names the host: loading it would tell that host. */
function picture(token: Tokens.Image): ComponentChildren {
  const alt = decodeEntities(token.text);
  if (/^\/images\/[0-9a-f]{64}$/.test(token.href)) return <img src={token.href} alt={alt} loading="lazy" />;
  const href = safeLink(token.href);
  if (!href || href.startsWith("mailto:")) {
    return <span class="far-picture">Picture not shown: {alt || "unnamed"}</span>;
  }
  const host = new URL(href).host;
  return (
    <span class="far-picture">
      Picture at {host}, not loaded:{" "}
      <a href={href} rel="noopener noreferrer" target="_blank">{alt || "open it there"}</a>
    </span>
  );
}
