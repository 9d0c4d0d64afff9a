import { type ComponentChildren, toChildArray, type VNode } from "preact";
import { useEffect } from "preact/hooks";

/** The seam to the server's renderer, which hoists what a `Head` holds; in the browser nothing is put here. */
export const headSeam: { hoist: ((elements: readonly VNode[]) => void) | null } = { hoist: null };

/**
 * Puts its children in the head of the page, wherever it stands. A later `<title>`, a `<meta>` of the same name or
 * property, and an element of the same `key` take the place of an earlier one. In the browser, inside an island, it keeps
 * title and metas up to date.
 */
export function Head({ children }: { readonly children?: ComponentChildren }): null {
  const elements = toChildArray(children).filter((child: unknown): child is VNode => typeof child === "object");
  headSeam.hoist?.(elements);
  // Effects run in the browser alone.
  useEffect(() => elements.forEach(updateDocument));
  return null;
}

/** What makes two elements of a head the same one. */
export function headKey({ key, type, props }: VNode): string | null {
  if (key !== undefined && key !== null) return `key:${key}`;
  if (type === "title" || type === "base") return type;
  if (type !== "meta") return null;
  const given: [string, unknown][] = Object.entries(props);
  const named = given.find(([name]) => ["name", "property", "http-equiv", "charset"].includes(name));
  if (named === undefined) return null;
  return named[0] === "charset" ? "meta:charset:" : `meta:${named[0]}:${named[1]}`;
}

function updateDocument(element: VNode): void {
  const props = element.props as Readonly<Record<string, unknown>>;
  if (element.type === "title") document.title = toChildArray(props.children as ComponentChildren).join("");
  const [kind, name = ""] = headKey(element)?.split(":") ?? [];
  if (kind !== "meta") return;
  const found = [...document.head.querySelectorAll("meta")].find((meta) => meta.getAttribute(name) === props[name]);
  const meta = found ?? document.head.appendChild(document.createElement("meta"));
  for (const [attribute, value] of Object.entries(props)) meta.setAttribute(attribute, String(value));
}
