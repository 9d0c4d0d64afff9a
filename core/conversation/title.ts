/**
 * Titles: how long they are, what a conversation is called before anyone names it, and what is kept of a model's answer
 * when it is asked for one (K-064, K-065, K-068).
 *
 * @module
 */

/** The most characters a title has. */
export const TITLE_LENGTH = 40;

/** What a conversation without a message is called. */
export const UNTITLED = "New conversation";

/** One line of at most 40 characters; `""` for nothing but white space. */
export function clampTitle(text: string): string {
  return firstCharacters(oneLine(text), TITLE_LENGTH).trim();
}

/** The title a first message gives. */
export function placeholderTitle(firstMessage: string): string {
  return clampTitle(firstMessage) || UNTITLED;
}

/**
 * The title in a model's answer; `""` when there is none. Its last line that holds something, without the quotes and marks
 * around it; what is too long is cut between two words where that leaves more than half.
 */
export function cleanTitle(answer: string): string {
  const line = answer.split(/[\r\n\u2028\u2029]+/).findLast((each) => each.trim() !== "") ?? "";
  const title = bare(cutAtWord(bare(line)));
  return /[\p{L}\p{N}\p{Extended_Pictographic}]/u.test(title) ? title : "";
}

/** The first so many characters of a text, never half of one. */
export function firstCharacters(text: string, count: number): string {
  // Twice as many code units hold at least that many characters.
  return [...text.slice(0, 2 * count)].slice(0, count).join("");
}

/** Marks that stand around a whole title. */
const PAIRS = ['""', "''", "``", "**", "“”", "„“", "”“", "‘’", "‚‘", "«»", "»«", "「」", "『』"] as const;

/** A line without the pairs of marks around it, and without dots and colons at its end. */
function bare(line: string): string {
  const text = oneLine(line).replace(/[\s.:…]+$/, "");
  for (const [open = "", close = ""] of PAIRS) {
    let depth = 0;
    while (2 * depth + 2 <= text.length && text[depth] === open && text.at(-1 - depth) === close) depth++;
    const inside = text.slice(depth, text.length - depth);
    // `"Yes" and "no"` is not one quotation; the apostrophe of `'The cat's year'` is no mark.
    const others = inside.replace(/(?<=\p{L})['’](?=\p{L})/gu, "");
    if (depth > 0 && !others.includes(open) && !others.includes(close)) return bare(inside);
  }
  return text;
}

/** At most 40 characters, the last word whole where that leaves more than half of them. */
function cutAtWord(line: string): string {
  const start = firstCharacters(line, TITLE_LENGTH + 1);
  if (start === firstCharacters(line, TITLE_LENGTH)) return line;
  const words = start.slice(0, Math.max(0, start.lastIndexOf(" ")));
  return [...words].length > TITLE_LENGTH / 2 ? words : clampTitle(line);
}

function oneLine(text: string): string {
  // deno-lint-ignore no-control-regex -- control characters have no place in a title
  return text.replace(/[\s\u0000-\u001f\u007f]+/g, " ").trim();
}
