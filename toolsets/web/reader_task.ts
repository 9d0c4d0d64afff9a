/**
 * What is said between the house and the reader's process: one task in, one answer out.
 *
 * @module
 */
import type { HtmlReading } from "./html.ts";
import type { PdfPart, PdfReading } from "./pdf.ts";

/** A document to read; of a PDF, the bytes follow the line that the task is on. */
export type ReaderTask =
  | { readonly kind: "html"; readonly html: string; readonly url: string }
  | { readonly kind: "pdf"; readonly part: PdfPart };

/** What came of it. */
export type ReaderAnswer =
  | { readonly kind: "html"; readonly reading: HtmlReading }
  | { readonly kind: "pdf"; readonly reading: PdfReading }
  | { readonly kind: "failed"; readonly error: string; readonly message: string };
