import assert from "node:assert/strict";
import { readPdf } from "../../../toolsets/web/pdf.ts";
import { pdfOf } from "./pdf_files.ts";

const all = { from: 1, maxChars: 100_000 };

Deno.test("a PDF is read page by page, with its title, its lines, and its gaps", async () => {
  const file = pdfOf(["First line\nsecond line\n\nafter a gap", "The second page"], { title: "On tending" });
  assert.deepEqual(await readPdf(file, all), {
    title: "On tending",
    author: null,
    total: 2,
    pages: [{ number: 1, text: "First line\nsecond line\n\nafter a gap" }, { number: 2, text: "The second page" }],
  });
});

Deno.test("reading begins at the page that is asked for and stops when it has enough", async () => {
  const file = pdfOf(["one ".repeat(20), "two ".repeat(20), "three ".repeat(20), "four"]);
  const numbers = async (from: number, maxChars: number) =>
    (await readPdf(file.slice(), { from, maxChars })).pages.map(({ number }) => number);
  assert.deepEqual(await numbers(2, 100), [2]);
  assert.deepEqual(await numbers(2, 250), [2, 3, 4]);
  assert.deepEqual(await numbers(1, 1), [1]);
  assert.deepEqual(await numbers(5, 100), []);
});

Deno.test("what is no PDF is an error", async () => {
  await assert.rejects(readPdf(new TextEncoder().encode("%PDF-1.4 and nothing more"), all));
});
