/**
 * From a PDF to Markdown, a section for each page. It runs in the reader's own process.
 *
 * @module
 */
import { getDocumentProxy, getMeta } from "unpdf";

/** Which part of a PDF is wanted. */
export interface PdfPart {
  /** The first page, from 1. */
  readonly from: number;
  /** Pages are added while the text stays within this; a page that is longer alone is given whole. */
  readonly maxChars: number;
}

/** What a PDF says, and of itself. */
export interface PdfReading {
  readonly title: string | null;
  readonly author: string | null;
  readonly total: number;
  /** The pages that were read, from the one asked for on; empty when there is no such page. */
  readonly pages: readonly { readonly number: number; readonly text: string }[];
}

/** Reads pages of a PDF. Throws what the parser throws: a file that is none, or is locked with a password. */
export async function readPdf(bytes: Uint8Array, { from, maxChars }: PdfPart): Promise<PdfReading> {
  const document = await getDocumentProxy(bytes, { verbosity: 0 });
  const { info } = await getMeta(document).catch(() => ({ info: {} as Record<string, unknown> }));
  const pages: { number: number; text: string }[] = [];
  let size = 0;
  for (let number = from; number <= document.numPages; number++) {
    const page = await document.getPage(number);
    const { items } = await page.getTextContent();
    const text = layOut(items.flatMap((item) => "str" in item ? [item] : []));
    page.cleanup();
    if (pages.length > 0 && size + text.length > maxChars) break;
    pages.push({ number, text });
    size += text.length;
  }
  return { title: said(info.Title), author: said(info.Author), total: document.numPages, pages };
}

interface Piece {
  readonly str: string;
  readonly hasEOL: boolean;
  readonly height: number;
  /** Where it stands: the last two are x and y, y growing upwards. */
  readonly transform: readonly number[];
}

/** Lines as they stand, with an empty one where the gap to the line above is wide. */
function layOut(pieces: readonly Piece[]): string {
  let text = "";
  let above: number | null = null;
  for (const { str, hasEOL, height, transform } of pieces) {
    const y = transform[5] ?? 0;
    if (text.endsWith("\n") && str.trim() !== "" && above !== null && above - y > Math.max(height, 4) * 1.8) {
      text += "\n";
    }
    text += str;
    if (str.trim() !== "") above = y;
    if (hasEOL) text = `${text.trimEnd()}\n`;
  }
  return text.replace(/\n{3,}/g, "\n\n").trim();
}

function said(value: unknown): string | null {
  return typeof value === "string" ? value.replace(/\s+/g, " ").trim().slice(0, 300) || null : null;
}
