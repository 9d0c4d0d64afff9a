/**
 * What the loop itself says to a model. There is no clock in it, so that a provider's cache holds from turn to turn.
 *
 * @module
 */

/** The parts of a system message, in the order of K-189. */
export interface PromptParts {
  readonly opener: string;
  /** Guidance of the resident toolsets, in the order they are declared. */
  readonly guidance: readonly string[];
}

/** The system message of an agent. */
export function assemblePrompt({ opener, guidance }: PromptParts): string {
  return [opener, ...guidance].map((part) => part.trim()).filter((part) => part).join("\n\n");
}

/** Asks a model that said nothing to go on (K-144). */
export const CONTINUE_PROMPT = "You have not answered yet. Go on: call a tool, or answer.";

/** Asks for an answer without tools once the calls of a turn are used up (K-145). */
export const WRAP_UP_PROMPT =
  "No more tool calls can be made in this turn. Answer now with what you have, and say plainly what is missing.";

/** Asks a model to go on after a turn that did not come to its end. */
export const RESUME_PROMPT = "Go on from where you stopped.";
