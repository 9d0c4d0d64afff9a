/**
 * A stand-in for a parent element that has only the nodes between two markers as its children: Preact draws into a whole
 * parent, while several islands and plain markup may share one.
 */
export function rangeRoot(start: Comment, end: Comment, nodes: readonly Node[]): Element {
  const parent = start.parentNode;
  if (parent === null) throw new TypeError("The markers of the island are no longer in the page");
  const insertBefore = (child: Node, before: Node | null): Node => parent.insertBefore(child, before ?? end);
  const root = {
    nodeType: Node.ELEMENT_NODE,
    namespaceURI: (parent as Element).namespaceURI,
    parentNode: parent,
    ownerDocument: document,
    firstChild: nodes[0] ?? null,
    childNodes: nodes,
    insertBefore,
    appendChild: (child: Node) => insertBefore(child, null),
    removeChild: (child: Node) => parent.removeChild(child),
    contains: (node: Node) => parent.contains(node),
  };
  return root as unknown as Element;
}
