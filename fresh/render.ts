import { type ComponentChildren, Fragment, h, type VNode } from "preact";
import { renderToString } from "preact-render-to-string";
import { bundleUrl, firstFiles } from "./bundle_urls.ts";
import { drawComponent, type LayoutConfig } from "./component.ts";
import type { Context } from "./context.ts";
import { headKey } from "./head.ts";
import { reduced, type RequestInternals } from "./internals.ts";
import { slotContent } from "./island_boundary.ts";
import { type RenderState, runInScope } from "./scope.ts";
import { UnserializableError, writeTable } from "./serialize.ts";
import type { PageBundle, Snapshot } from "./snapshot.ts";
import { type PageTable, TABLE_ID } from "./table.ts";

const PLAIN_HEAD = '<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">';

/** Puts markup inside the layouts and the app of its route and renders it; an async wrapper may answer a Response. */
export async function renderPage<State>(
  ctx: Context<State>,
  internals: RequestInternals,
  markup: ComponentChildren,
  options: LayoutConfig,
): Promise<string | Response> {
  const { app, layouts } = reduced(internals.around, options);
  let page = markup;
  for (const wrapper of [...layouts.toReversed(), ...app === null ? [] : [app]]) {
    const below = page;
    ctx.Component = () => below as VNode;
    const wrapped = await drawComponent(wrapper, ctx);
    if (wrapped instanceof Response) return wrapped;
    page = wrapped;
  }
  await internals.snapshot?.loadIslands();
  return await renderDocument(page, ctx.config.basePath, internals, options.skipAppWrapper === true);
}

/**
 * Renders a whole document. Markup without an `<html>` element is put into a plain one, unless it is asked for as it is. A
 * page without islands carries no script at all; one with islands carries their props once, in one table, and one external
 * module script.
 */
async function renderDocument(
  markup: ComponentChildren,
  basePath: string,
  { snapshot, nonce, around }: RequestInternals,
  isFragment: boolean,
): Promise<string> {
  const state: RenderState = { nonce, islands: [], slots: [], head: [], assets: new Map(), unwrapped: new WeakSet() };
  const scope = { basePath, snapshot, render: state };
  const render = (vnode: VNode) => runInScope(scope, () => renderToString(vnode));

  const body = render(h(Fragment, null, markup));
  let tail = renderTemplates(state, render);
  const hoisted = lastOfEach(state.head);
  const links = around.css.map((href) => h("link", { rel: "stylesheet", href }) as VNode);
  let head = [...hoisted, ...links].map(render).join("");
  const bundle = state.islands.length > 0 && snapshot !== null ? await bundleOf(snapshot) : null;
  if (bundle !== null) {
    for (const file of firstFiles(bundle, state.islands.map((use) => use.island.file))) {
      head += `<link rel="modulepreload" href="${bundleUrl(bundle, basePath, file)}">`;
    }
    tail += scripts(bundle, basePath, state);
  }
  const isWhole = /^\s*<html[\s>]/i.test(body);
  const html = isWhole || isFragment ? body : `<html><head>${PLAIN_HEAD}</head><body>${body}</body></html>`;
  return (isWhole || !isFragment ? "<!DOCTYPE html>" : "") + splice(html, head, tail, hoisted);
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

function scripts(bundle: PageBundle, basePath: string, state: RenderState): string {
  const islands = state.islands.map(({ island: { file, exportName }, props }) => {
    return { module: bundleUrl(bundle, basePath, bundle.entries[file] ?? ""), exportName, props };
  });
  const table = tableOf({ basePath, assets: Object.fromEntries(state.assets), islands }, state);
  const nonce = state.nonce === null ? "" : ` nonce="${state.nonce}"`;
  return `<script type="application/json" id="${TABLE_ID}"${nonce}>${table}</script>` +
    `<script type="module" src="${bundleUrl(bundle, basePath, bundle.boot)}"${nonce}></script>`;
}

function tableOf(page: PageTable, state: RenderState): string {
  try {
    return writeTable(page);
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
  const bodyEnd = html.lastIndexOf("</body>");
  const [from, to] = [Math.max(html.indexOf("</head>"), 0), bodyEnd < 0 ? html.length : bodyEnd];
  return hoisted.reduce(withoutReplaced, html.slice(0, from)) + head + html.slice(from, to) + tail + html.slice(to);
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
