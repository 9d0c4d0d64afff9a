/**
 * A conversation made of a file: chosen by the person, sent as it is, opened when it is there.
 *
 * @module
 */
import type { Page } from "./page.ts";

/** Asks for a file and imports it. What is wrong with the file is said with its line. */
export function chooseImport(page: Page): void {
  const field = document.createElement("input");
  field.type = "file";
  field.accept = ".jsonl,application/jsonl";
  field.addEventListener("change", () => {
    const file = field.files?.[0];
    if (file) void importFile(page, file);
  });
  field.click();
}

/** Imports a file and opens what it became. */
export async function importFile(page: Page, file: File): Promise<void> {
  page.alerts.say({ group: "import", text: `Importing ${file.name}`, level: "info" });
  try {
    const row = await page.api.import(file);
    page.live.takeRow(row);
    location.assign(`${page.boot.basePath}/c/${row.id}`);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const text = `${file.name} was not imported. ${capital(reason)}`;
    page.alerts.say({ group: "import", text, level: "error" });
  }
}

function capital(sentence: string): string {
  return sentence.slice(0, 1).toUpperCase() + sentence.slice(1);
}
