/**
 * Titles, when the demonstration is asked for one (K-065): the opening words, as it cannot sum anything up.
 *
 * @module
 */
import type { ModelRequest } from "../contract.ts";

/** Words a title may have. */
const TITLE_WORDS = 6;

/** Whether a request asks for a conversation's title: no tools, and an instruction that says so. */
export function isTitleRequest(request: ModelRequest): boolean {
  const asked = request.messages.at(-1);
  if (request.tools.length > 0 || asked?.role !== "user") return false;
  const instruction = `${request.system}\n${asked.text.slice(0, 300)}`;
  return /\btitle\b/i.test(instruction) && /\bwords?\b/i.test(instruction);
}

/**
 * The first words of a text, without the marks at its end. A text after an instruction's blank line is preferred, and who
 * said it is left out.
 */
export function titleOf(text: string): string {
  const instruction = /\btitle\b/i.test(text.slice(0, 300)) ? text.search(/\n\s*\n/) : -1;
  const said = instruction < 0 ? text : text.slice(instruction).replace(/^[\s-]*User: /, "");
  const words = said.match(/[\p{L}\p{N}][\p{L}\p{N}'’:,.%^*+\-/=@]*/gu) ?? [];
  const title = words.slice(0, TITLE_WORDS).join(" ").replace(/[.,:]+$/, "").replace(/,$/, "");
  return title === "" ? "Conversation" : title;
}
