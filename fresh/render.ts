import { type ComponentChildren, Fragment, h, type VNode } from "preact";
import { renderToString } from "preact-render-to-string";
import { bundleUrl, preloads } from "./bundle_urls.ts";
import { headKey } from "./head.ts";
import { slotContent } from "./island_boundary.ts";
import { type RenderState, runInScope } from "./scope.ts";
import { TableWriter, UnserializableError } from "./serialize.ts";
import type { PageBundle, Snapshot } from "./snapshot.ts";
import { TABLE_ID } from "./table.ts";

/** What a page is rendered for. */
export interface DocumentOptions {
  readonly snapshot: Snapshot | null;
  readonly basePath: string;
  readonly nonce: string | null;
  readonly css: readonly string[];
  /** Leaves markup that is no whole document as it is. */
  readonly isFragment: boolean;
}

/**
 * Renders a page to a whole document. Markup without an `<html>` element is put into a plain one. A page without islands
 * carries no script at all; one with islands carries their props once, in one table, and one external module script.
 */
export async function renderDocument(markup: ComponentChildren, options: DocumentOptions): Promise<string> {
  const state: RenderState = {
    nonce: options.nonce,
    islands: [],
    slots: [],
    head: [],
    assets: new Map(),
    unwrapped: new WeakSet(),
  };
  const scope = { basePath: options.basePath, snapshot: options.snapshot, render: state };
  const render = (vnode: VNode) => runInScope(scope, () => renderToString(vnode));

  const body = render(h(Fragment, null, markup));
  const templates = renderTemplates(state, render);
  const hoisted = lastOfEach(state.head);
  const links = options.css.map((href) => h("link", { rel: "stylesheet", href }) as VNode);
  let head = [...hoisted, ...links].map(render).join("");
  let tail = templates;
  if (state.islands.length > 0 && options.snapshot !== null) {
    const bundle = await bundleOf(options.snapshot);
    if (bundle !== null) {
      head += preloads(bundle, options.basePath, state.islands.map((use) => use.island.file));
      tail += scripts(bundle, options, state);
    }
  }
  const html = /^\s*<html[\s>]/i.test(body) || options.isFragment ? body : plainDocument(body);
  return splice(html, head, tail, hoisted);
}

/** The slots that no island drew; drawing one may bring islands and slots of its own. */
function renderTemplates(state: RenderState, render: (vnode: VNode) => string): string {
  let html = "";
  for (let id = 0; id < state.slots.length; id++) {
    const slot = state.slots[id];
    if (slot === undefined || slot.isDrawn) continue;
    html += render(h("template", { id: `frsh-slot-${id}` }, slotContent(slot.content)) as VNode);
  }
  return html;
}

/** A page that reads, with its scripts missing, is worth more than an error page that would lack them too. */
async function bundleOf(snapshot: Snapshot): Promise<PageBundle | null> {
  try {
    return await snapshot.bundle();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return null;
  }
}

function scripts(bundle: PageBundle, options: DocumentOptions, state: RenderState): string {
  const table = new TableWriter();
  const islands: unknown[] = [];
  for (const { island, props } of state.islands) {
    const module = bundleUrl(bundle, options.basePath, bundle.entries[island.file] ?? "");
    islands.push({ module, exportName: island.exportName, props });
  }
  writeTable(table, { basePath: options.basePath, assets: Object.fromEntries(state.assets), islands }, state);
  const nonce = options.nonce === null ? "" : ` nonce="${options.nonce}"`;
  const boot = bundleUrl(bundle, options.basePath, bundle.boot);
  return `<script type="application/json" id="${TABLE_ID}"${nonce}>${table.toJson()}</script>` +
    `<script type="module" src="${boot}"${nonce}></script>`;
}

function writeTable(table: TableWriter, page: object, state: RenderState): void {
  try {
    table.add(page);
  } catch (error) {
    if (!(error instanceof UnserializableError)) throw error;
    const [, index = "0", prop = ""] = /^islands\[(\d+)\]\.props\.?(.*)$/s.exec(error.path) ?? [];
    const name = state.islands[Number(index)]?.island.name;
    throw new TypeError(
      `The island "${name}" was given ${error.what} in the prop "${prop}", which cannot be sent to the browser; ` +
        `pass plain data, a signal, or markup as a prop of its own`,
      { cause: error },
    );
  }
}

/** Of the elements with the same key the last one, in the place of the first. */
function lastOfEach(elements: readonly VNode[]): VNode[] {
  const byKey = new Map<unknown, VNode>();
  for (const element of elements) byKey.set(headKey(element) ?? element, element);
  return [...byKey.values()];
}

function splice(html: string, head: string, tail: string, hoisted: readonly VNode[]): string {
  const doctype = /^\s*<html[\s>]/i.test(html) ? "<!DOCTYPE html>" : "";
  const headEnd = html.indexOf("</head>");
  const bodyEnd = html.lastIndexOf("</body>");
  if (headEnd < 0 && bodyEnd < 0) return doctype + head + html + tail;
  const upToHead = headEnd < 0 ? "" : html.slice(0, headEnd);
  const middle = html.slice(Math.max(headEnd, 0), bodyEnd < headEnd ? undefined : bodyEnd);
  const rest = bodyEnd < headEnd ? "" : html.slice(bodyEnd);
  return doctype + hoisted.reduce(withoutReplaced, upToHead) + head + middle + tail + rest;
}

/** Takes out of the app's own head what a hoisted element replaces. */
function withoutReplaced(head: string, element: VNode): string {
  const key = headKey(element);
  if (key === "title") return head.replace(/<title\b[^>]*>[\s\S]*?<\/title>/i, "");
  const [kind, attribute, ...value] = key?.split(":") ?? [];
  if (kind !== "meta") return head;
  return head.replace(/<meta\b[^>]*>/gi, (meta) => {
    const found = new RegExp(`\\s${attribute}="([^"]*)"`, "i").exec(meta);
    return found !== null && (attribute === "charset" || found[1] === value.join(":")) ? "" : meta;
  });
}

function plainDocument(body: string): string {
  return `<html><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"></head>` +
    `<body>${body}</body></html>`;
}
