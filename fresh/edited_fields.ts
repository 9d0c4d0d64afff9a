type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** The fields below some nodes that a person changed before the page's scripts had run. */
export function editedFields(nodes: readonly Node[]): Field[] {
  return nodes.flatMap((node) => {
    if (!(node instanceof Element)) return [];
    const inside = [...node.querySelectorAll<Field>("input, textarea, select")];
    return (node.matches("input, textarea, select") ? [node as Field, ...inside] : inside).filter(isEdited);
  });
}

/** Tells whoever listens now what the field holds, as if it had just been typed. */
export function announce(field: Field): void {
  if (!field.isConnected) return;
  field.dispatchEvent(new Event("input", { bubbles: true }));
  field.dispatchEvent(new Event("change", { bubbles: true }));
}

function isEdited(field: Field): boolean {
  if (field instanceof HTMLSelectElement) {
    const hasDefault = [...field.options].some((option) => option.defaultSelected);
    return hasDefault && [...field.options].some((option) => option.selected !== option.defaultSelected);
  }
  if (field instanceof HTMLInputElement && (field.type === "checkbox" || field.type === "radio")) {
    return field.checked !== field.defaultChecked;
  }
  return field.value !== field.defaultValue;
}
