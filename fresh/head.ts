import { type ComponentChildren, toChildArray, type VNode } from "preact";
import { useEffect } from "preact/hooks";

/** The seam to the server's renderer, which hoists what a `Head` holds; in the browser nothing is put here. */
export const headSeam: { hoist: ((elements: readonly VNode[]) => void) | null } = { hoist: null };

/** The props of {@link Head}. */
export interface HeadProps {
  readonly children?: ComponentChildren;
}

/**
 * Puts its children in the head of the page, wherever it stands. A later `<title>`, a `<meta>` of the same name or
 * property, and an element of the same `key` take the place of an earlier one. In the browser, inside an island, it keeps
 * title and metas up to date.
 */
export function Head({ children }: HeadProps): null {
  const elements = toChildArray(children).filter((child: unknown): child is VNode => typeof child === "object");
  headSeam.hoist?.(elements);
  // Effects run in the browser alone.
  useEffect(() => elements.forEach(updateDocument));
  return null;
}

/** What makes two elements of a head the same one. */
export function headKey(element: VNode): string | null {
  const props: Readonly<Record<string, unknown>> = element.props as Record<string, unknown>;
  if (element.key !== undefined && element.key !== null) return `key:${element.key}`;
  if (element.type === "title" || element.type === "base") return element.type;
  if (element.type === "meta") {
    for (const name of ["name", "property", "http-equiv", "charset"]) {
      if (props[name] !== undefined) return `meta:${name}:${name === "charset" ? "" : props[name]}`;
    }
  }
  return null;
}

function updateDocument(element: VNode): void {
  const props: Readonly<Record<string, unknown>> = element.props as Record<string, unknown>;
  if (element.type === "title") {
    document.title = toChildArray(props.children as ComponentChildren).join("");
    return;
  }
  const key = headKey(element);
  if (element.type !== "meta" || key === null || !key.startsWith("meta:")) return;
  const name = key.split(":")[1] ?? "";
  const found = [...document.head.querySelectorAll("meta")].find((meta) => meta.getAttribute(name) === props[name]);
  const meta = found ?? document.head.appendChild(document.createElement("meta"));
  for (const [attribute, value] of Object.entries(props)) {
    if (typeof value === "string") meta.setAttribute(attribute, value);
  }
}
