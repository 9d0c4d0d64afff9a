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
import { Component, type ComponentChildren, type VNode } from "preact";
import { useRef } from "preact/hooks";
import type { Tokens } from "marked";
import { growMarkdown, type MarkdownDocument, type MarkdownToken, shownBlocks } from "./document.ts";
import { decodeEntities } from "./entities.ts";
import { Formula } from "./Formula.tsx";
import { Listing } from "./Listing.tsx";
import type { MathToken } from "./math.ts";
import { safeLink } from "./safe_link.ts";
import { Table } from "./Table.tsx";

/** Deeper nesting than this is shown as its source: no text needs it, and a stack has an end. */
const DEEPEST = 40;

/** Blocks are drawn in groups of this many, so that a piece costs one group and not the whole text. */
const GROUP = 32;

/** Shows a text that may still grow. `final` says that it will not; only then are formulas set. */
export function Markdown({ text, final }: { text: string; final: boolean }): VNode {
  const held = useRef<MarkdownDocument>();
  const document = held.current = growMarkdown(held.current, text, final);
  const blocks = shownBlocks(document);
  const groups = Array.from({ length: Math.ceil(blocks.length / GROUP) }, (_, index) => (
    <Group
      key={index}
      tokens={blocks.slice(index * GROUP, (index + 1) * GROUP)}
      links={document.links}
      final={final}
    />
  ));
  return <>{groups}</>;
}

interface Drawn {
  readonly links: string;
  readonly final: boolean;
}

class Group extends Component<Drawn & { readonly tokens: readonly MarkdownToken[] }> {
  override shouldComponentUpdate(next: Group["props"]): boolean {
    const { tokens, links, final } = this.props;
    return links !== next.links || tokens.length !== next.tokens.length ||
      next.tokens.some((token, index) => isOther(tokens[index]!, token, final !== next.final));
  }

  render({ tokens, links, final }: Group["props"]): VNode {
    return <>{tokens.map((token, index) => <Block key={index} token={token} links={links} final={final} />)}</>;
  }
}

/** One top-level block; drawn again only when it says something else. */
class Block extends Component<Drawn & { readonly token: MarkdownToken }> {
  override shouldComponentUpdate(next: Block["props"]): boolean {
    const { token, links, final } = this.props;
    return links !== next.links || isOther(token, next.token, final !== next.final);
  }

  render({ token, final }: Block["props"]): VNode {
    return <>{block(token, { final, depth: 0 })}</>;
  }
}

function isOther(held: MarkdownToken, next: MarkdownToken, becomesFinal: boolean): boolean {
  if (becomesFinal && hasFormula(next)) return true;
  return held !== next && (held.raw !== next.raw || held.type !== next.type);
}

/** Cheap and on the safe side. */
function hasFormula(token: MarkdownToken): boolean {
  return /[$]|\\[([]/.test(token.raw);
}

interface Place {
  readonly final: boolean;
  readonly depth: number;
}

function block(token: MarkdownToken, at: Place): ComponentChildren {
  if (at.depth > DEEPEST) return <p>{token.raw}</p>;
  switch (token.type) {
    case "paragraph":
      return <p>{inline(token.tokens, at)}</p>;
    case "heading":
      return heading(token as Tokens.Heading, at);
    case "code":
      return <Listing text={token.text} language={(token.lang ?? "").trim()} />;
    case "list":
      return list(token as Tokens.List, at);
    case "blockquote":
      return <blockquote dir="auto">{blocks(token.tokens, at)}</blockquote>;
    case "table":
      return <Table token={token as Tokens.Table} cell={(tokens) => inline(tokens, at)} />;
    case "hr":
      return <hr />;
    case "math":
      return <Formula source={(token as MathToken).source} display raw={token.raw} final={at.final} />;
    case "html":
      return <p class="raw-html">{token.raw.trim()}</p>;
    case "text":
      return token.tokens ? inline(token.tokens, at) : decodeEntities(token.text);
    case "space":
    case "def":
      return null;
    case "checkbox":
      return <Checkbox checked={token.checked} />;
    default:
      return <p>{token.raw}</p>;
  }
}

function blocks(tokens: readonly MarkdownToken[] | undefined, at: Place): ComponentChildren {
  return (tokens ?? []).map((token) => block(token, { ...at, depth: at.depth + 1 }));
}

/** h1 is the title of the page and h2 the turn, so a text's own headings begin two lower. */
function heading(token: Tokens.Heading, at: Place): VNode {
  const children = inline(token.tokens, at);
  if (token.depth === 1) return <h3>{children}</h3>;
  if (token.depth === 2) return <h4>{children}</h4>;
  if (token.depth === 3) return <h5>{children}</h5>;
  return <h6>{children}</h6>;
}

function list(token: Tokens.List, at: Place): VNode {
  const items = token.items.map((item, index) => (
    <li key={index} class={item.task ? "task" : undefined}>
      {blocks(item.tokens as MarkdownToken[], at)}
    </li>
  ));
  if (!token.ordered) return <ul dir="auto">{items}</ul>;
  const start = token.start === 1 || token.start === "" ? undefined : Number(token.start);
  return <ol dir="auto" start={start}>{items}</ol>;
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
