/**
 * Questions about the conversation itself, answered from it: to show that what is said is kept.
 *
 * @module
 */
import { clip } from "./answers.ts";

/** The answer to a question about what was said before, or `undefined` when it is none. */
export function recallAnswer(question: string, earlier: readonly string[]): string | undefined {
  if (/\b(?:what|which)\b.*\b(?:first)\b.*\b(?:say|said|message|ask|asked|thing)\b/i.test(question)) {
    return quoteOf("The first thing you said here was", earlier[0]);
  }
  if (/\bwhat (?:did i|have i)\b.*\b(?:say|said|ask|asked|write|written)\b|\bmy last message\b/i.test(question)) {
    return earlier.length < 2 ? quoteOf("Before this you said", earlier.at(-1)) : allOf(earlier);
  }
  if (/\bwhat(?: i|')s my name\b|\bwho am i\b|\bdo you (?:know|remember) my name\b/i.test(question)) {
    const name = nameIn(earlier);
    return name === undefined
      ? "You have not told me yet. Say *My name is …*, and I will find it here when you ask again."
      : `Your name is **${name}**. You told me earlier in this conversation.`;
  }
  const thing = question.match(/\bwhat(?: is| are|'s) my ([\p{L} ]{2,30}?)(?: called| named)?\s*[?.]*$/iu)?.[1];
  const fact = thing === undefined ? undefined : factIn(earlier, thing);
  if (fact === undefined) return undefined;
  return `Your ${fact.thing} ${fact.link} **${fact.value}**, as you told me earlier in this conversation.`;
}

/** What to say to something the person tells about themselves, or `undefined` when it is nothing of the kind. */
export function notedAnswer(statement: string): string | undefined {
  const name = nameIn([statement]);
  if (name !== undefined) {
    return `Noted, ${name}. Ask me *What is my name?* later on, also after a restart: I will read it from this conversation, \
which is kept on your disk as it happens.`;
  }
  const fact = readFact(statement);
  if (fact === undefined || statement.includes("?")) return undefined;
  const question = `What ${fact.link.split(" ")[0]} my ${fact.thing}?`;
  return `Noted: your ${fact.thing} ${fact.link} ${fact.value}. Ask me *${question}* later on, and I will read it from \
this conversation, which is kept on your disk as it happens.`;
}

const FACT = /\bmy ([\p{L} ]{2,30}?) ((?:is|are)(?: called| named)?) ([\p{L}\d][^.?!\n]{0,60})/iu;

interface Fact {
  readonly thing: string;
  /** "is", "are called" and the like, as it was said. */
  readonly link: string;
  readonly value: string;
}

function readFact(text: string): Fact | undefined {
  const [, thing, link, value] = text.match(FACT) ?? [];
  if (thing === undefined || link === undefined || value === undefined) return undefined;
  return { thing, link, value: value.trim() };
}

function nameIn(texts: readonly string[]): string | undefined {
  const told = texts.findLast((text) => NAME.test(text));
  return told?.match(NAME)?.[1];
}

const NAME = /\b(?:my name is|my name's|call me|i am called)\s+(\p{L}[\p{L}'’-]{0,30}(?: \p{Lu}[\p{L}'’-]{0,30})?)/iu;

function factIn(texts: readonly string[], thing: string): Fact | undefined {
  return texts.map(readFact).findLast((fact) => fact?.thing.toLowerCase() === thing.toLowerCase());
}

function quoteOf(lead: string, text: string | undefined): string {
  if (text === undefined) return "Nothing yet: this is your first message in this conversation.";
  return `${lead}:\n\n> ${clip(text, 300)}\n\nI read it from the conversation itself, which is all I remember.`;
}

function allOf(earlier: readonly string[]): string {
  const shown = earlier.slice(-10).map((text, index) => {
    return `${Math.max(0, earlier.length - 10) + index + 1}. ${clip(text, 120)}`;
  });
  const cut = earlier.length > 10 ? `The last ten of ${earlier.length} messages` : "So far you said";
  return `${cut}:\n\n${shown.join("\n")}\n\nI read that from the conversation itself, which is all I remember.`;
}
