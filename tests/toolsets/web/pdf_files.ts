/**
 * Small PDFs, written by hand.
 *
 * @module
 */

/** A PDF with one page for each text; lines of a text stand under each other, an empty one leaves a gap. */
export function pdfOf(texts: readonly string[], { title }: { readonly title?: string } = {}): Uint8Array<ArrayBuffer> {
  const objects: string[] = [];
  const kids = texts.map((_, at) => `${4 + at * 2} 0 R`).join(" ");
  objects[1] = "<< /Type /Catalog /Pages 2 0 R >>";
  objects[2] = `<< /Type /Pages /Kids [${kids}] /Count ${texts.length} >>`;
  objects[3] = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>";
  for (const [at, text] of texts.entries()) {
    const lines = text.split("\n").map((line) => `(${line.replace(/[()\\]/g, "\\$&")}) Tj T*`).join("\n");
    const stream = `BT /F1 12 Tf 14 TL 50 780 Td\n${lines}\nET`;
    objects[4 + at * 2] = `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents ${
      5 + at * 2
    } 0 R /Resources << /Font << /F1 3 0 R >> >> >>`;
    objects[5 + at * 2] = `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`;
  }
  const info = objects.length;
  objects[info] = title === undefined ? "<< >>" : `<< /Title (${title}) >>`;
  return assemble(objects, `/Root 1 0 R /Info ${info} 0 R`);
}

/** Numbered objects with their table of places. */
export function assemble(objects: readonly string[], trailer: string): Uint8Array<ArrayBuffer> {
  let file = "%PDF-1.4\n";
  const places: number[] = [];
  for (let number = 1; number < objects.length; number++) {
    places.push(file.length);
    file += `${number} 0 obj\n${objects[number]}\nendobj\n`;
  }
  const table = places.map((place) => `${String(place).padStart(10, "0")} 00000 n \n`).join("");
  const start = file.length;
  file += `xref\n0 ${objects.length}\n0000000000 65535 f \n${table}trailer\n<< /Size ${objects.length} ${trailer} >>\n`;
  file += `startxref\n${start}\n%%EOF\n`;
  return Uint8Array.from(file, (character) => character.charCodeAt(0));
}
