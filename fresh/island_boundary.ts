/**
 * How islands are found while a page is rendered.
 *
 * 1. A component is recognised when it is rendered, not when its element is made: a handler makes elements before any
 *    rendering has begun. ("an island made in a handler is recognised")
 * 2. An island inside an island is part of the outer one; inside markup handed to an island it is an island of its own.
 *    ("an island inside an island has no markers", "an island inside a slot has markers")
 * 3. Markup handed to an island is rendered once, here, and kept in a template when the island does not draw it.
 *    ("a slot that is not drawn is kept in a template")
 *
 * @module
 */
import { createContext, Fragment, h, isValidElement, options } from "preact";
import type { ComponentChildren, ComponentType, Options, VNode } from "preact";
import { useContext } from "preact/hooks";
import { Signal } from "@preact/signals";
import { currentScope, type RenderState } from "./scope.ts";
import type { Island } from "./snapshot.ts";
import { SlotReference } from "./table.ts";

type Props = Readonly<Record<string, unknown>>;

interface BoundaryProps {
  readonly island: Island;
  readonly component: ComponentType<Props>;
  readonly props: Props;
}

const InsideIsland = createContext(false);

const hooks = options as Options & { __b?: (vnode: VNode) => void };
const before = hooks.__b;
hooks.__b = (vnode: VNode) => {
  const scope = currentScope();
  if (scope?.render) prepare(vnode, scope.render, scope.snapshot?.islandOf(vnode.type as ComponentType<never>));
  before?.(vnode);
};

function prepare(vnode: VNode, render: RenderState, island: Island | undefined): void {
  const { type, props } = vnode;
  if (island !== undefined && !render.unwrapped.has(vnode)) {
    Object.assign(vnode, { type: IslandBoundary, props: { island, component: type, props } });
  } else if (render.nonce !== null && (type === "script" || type === "style")) {
    Object.assign(vnode, { props: { ...props, nonce: render.nonce } });
  }
}

function IslandBoundary({ island, component, props }: BoundaryProps): VNode {
  const render = currentScope()?.render as RenderState;
  const isInside = useContext(InsideIsland);
  if (isInside) return unwrapped(render, component, props);
  const drawn: Record<string, unknown> = {};
  const sent: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(props)) {
    const id = holdsMarkup(value) ? render.slots.push({ content: value, isDrawn: false }) - 1 : null;
    drawn[name] = id === null ? value : h(Slot, { id });
    sent[name] = id === null ? value : new SlotReference(id);
  }
  const index = render.islands.push({ island, props: sent }) - 1;
  const content = h(InsideIsland.Provider, { value: true, children: unwrapped(render, component, drawn) });
  return h(Fragment, null, comment(`frsh:island:${index}`), content, comment("/frsh:island"));
}

/** Markup handed to an island, between its markers. */
function Slot({ id }: { id: number }): VNode | null {
  const slot = currentScope()?.render?.slots[id];
  if (slot === undefined) return null;
  slot.isDrawn = true;
  return h(Fragment, null, comment(`frsh:slot:${id}`), slotContent(slot.content), comment("/frsh:slot"));
}

/** What stands in a slot: an island in it is an island of its own. */
export function slotContent(content: unknown): VNode {
  return h(InsideIsland.Provider, { value: false, children: content as ComponentChildren }) as VNode;
}

function unwrapped(render: RenderState, component: ComponentType<Props>, props: Props): VNode {
  const vnode = h(component, props) as VNode;
  render.unwrapped.add(vnode);
  return vnode;
}

function comment(text: string): VNode {
  // A fragment of its own: as a component's only result the renderer would drop the comment.
  return h(Fragment, { UNSTABLE_comment: text } as Record<string, unknown>);
}

/** Whether a prop is markup. A signal looks like an element to Preact, and is not. */
export function holdsMarkup(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(holdsMarkup);
  return isValidElement(value) && !(value instanceof Signal);
}
