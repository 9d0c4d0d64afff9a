/**
 * Paths of documents, in one form: `/Travel//./coast.md` is `Travel/coast.md`.
 *
 * Invariants (tests/core/memory/document_path_test.ts)
 * 1. A path never leaves the documents: `..` is refused, wherever it stands.
 * 2. Normalising what is normal changes nothing.
 *
 * @module
 */
import { BadPath } from "./document.ts";

const MAX_PATH = 500;
const MAX_STEP = 120;

/** The path in its one form. Throws `BadPath`. */
export function documentPath(text: string): string {
  const steps = text.toWellFormed().normalize("NFC").replaceAll("\\", "/").split("/").map((step) => step.trim())
    .filter((step) => step !== "" && step !== ".");
  if (steps.length === 0) throw new BadPath(text, "name the document, as in notes/coast.md");
  if (steps.includes("..")) throw new BadPath(text, 'write it from the top, without ".."');
  if (steps.some((step) => /\p{Cc}/u.test(step))) throw new BadPath(text, "leave control characters out");
  if (steps.some((step) => step.length > MAX_STEP)) {
    throw new BadPath(text.slice(0, 80), `each name may have ${MAX_STEP} characters`);
  }
  const path = steps.join("/");
  if (path.length > MAX_PATH) throw new BadPath(text.slice(0, 80), `it may have ${MAX_PATH} characters`);
  return path;
}
