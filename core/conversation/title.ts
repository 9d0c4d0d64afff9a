/**
 * Titles: how long they are, and what a conversation is called before anyone names it (K-064, K-068).
 *
 * @module
 */

/** The most characters a title has. */
export const TITLE_LENGTH = 40;

/** What a conversation without a message is called. */
export const UNTITLED = "New conversation";

/** One line of at most 40 characters; `""` for nothing but white space. */
export function clampTitle(text: string): string {
  // deno-lint-ignore no-control-regex -- control characters have no place in a title
  const line = text.replace(/[\s\u0000-\u001f\u007f]+/g, " ").trim();
  return [...line].slice(0, TITLE_LENGTH).join("").trim();
}

/** The title a first message gives. */
export function placeholderTitle(firstMessage: string): string {
  return clampTitle(firstMessage) || UNTITLED;
}
