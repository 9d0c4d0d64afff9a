/** A text longer than this is not measured at each key, in UTF-16 code units. */
const LONG = 100_000;

/**
 * Grows the field with its text: by itself where the browser can, else by measuring. A very long text has the whole height
 * at once, so that each key costs the same.
 */
export function fit(field: HTMLTextAreaElement): void {
  const isLong = field.value.length > LONG;
  field.classList.toggle("long", isLong);
  if (isLong || CSS.supports("field-sizing", "content")) return;
  field.style.height = "auto";
  field.style.height = `${field.scrollHeight}px`;
}
