type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

const FIELDS = "input, textarea, select";

/**
 * Remembers the fields below some nodes that a person changed before the page's scripts had run.
 *
 * @returns what puts them back after hydration, which empties a textarea, and tells the island as if it had just been typed
 */
export function keepEdits(nodes: readonly Node[]): () => void {
  const elements = nodes.filter((node) => node instanceof Element);
  const fields = elements.flatMap((element) => [element, ...element.querySelectorAll(FIELDS)]) as Field[];
  const kept = fields.filter((field) => field.matches(FIELDS) && isEdited(field)).map((field) => {
    const cursor = field instanceof HTMLTextAreaElement ? field.selectionStart : 0;
    return { field, value: field.value, cursor };
  });
  return () => {
    for (const { field, value, cursor } of kept) {
      if (field.value !== value) {
        field.value = value;
        if (field instanceof HTMLTextAreaElement) field.selectionStart = cursor;
      }
      for (const name of ["input", "change"]) field.dispatchEvent(new Event(name, { bubbles: true }));
    }
  };
}

function isEdited(field: Field): boolean {
  if (field instanceof HTMLSelectElement) {
    const given = [...field.options].findLastIndex((option) => option.defaultSelected);
    return field.selectedIndex !== Math.max(given, 0);
  }
  if (field.type === "checkbox" || field.type === "radio") {
    return (field as HTMLInputElement).checked !== (field as HTMLInputElement).defaultChecked;
  }
  return field.value !== field.defaultValue;
}
