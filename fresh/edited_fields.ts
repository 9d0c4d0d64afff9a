type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/**
 * Remembers the fields below some nodes that a person changed before the page's scripts had run.
 *
 * @returns what puts them back after hydration, which empties a textarea, and tells the island as if it had just been typed
 */
export function keepEdits(nodes: readonly Node[]): () => void {
  const kept = nodes.flatMap(fieldsOf).filter(isEdited).map((field) => {
    const { value } = field;
    const cursor = field instanceof HTMLTextAreaElement ? field.selectionStart : null;
    return { field, value, cursor };
  });
  return () => {
    for (const { field, value, cursor } of kept) {
      if (field.value !== value) {
        field.value = value;
        if (field instanceof HTMLTextAreaElement) field.selectionStart = cursor ?? value.length;
      }
      field.dispatchEvent(new Event("input", { bubbles: true }));
      field.dispatchEvent(new Event("change", { bubbles: true }));
    }
  };
}

function fieldsOf(node: Node): Field[] {
  if (!(node instanceof Element)) return [];
  const selector = "input, textarea, select";
  return [...node.matches(selector) ? [node as Field] : [], ...node.querySelectorAll<Field>(selector)];
}

function isEdited(field: Field): boolean {
  if (field instanceof HTMLSelectElement) {
    const options = [...field.options];
    const first = Math.max(options.findLastIndex((option) => option.defaultSelected), 0);
    return field.selectedIndex !== first;
  }
  if (field instanceof HTMLInputElement && (field.type === "checkbox" || field.type === "radio")) {
    return field.checked !== field.defaultChecked;
  }
  return field.value !== field.defaultValue;
}
