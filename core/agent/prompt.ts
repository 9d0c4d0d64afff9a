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
  /** Names of the toolsets that can be loaded. */
  readonly loadable: readonly string[];
  /** Whether it has agents to hand work to. */
  readonly delegates: boolean;
  /** Whether it has nothing for work in the world, and others have. */
  readonly lean: boolean;
}

/** The system message of an agent, in the five parts of K-189. */
export function assemblePrompt({ opener, guidance, loadable, delegates, lean }: PromptParts): string {
  const parts = [
    opener,
    ...guidance,
    loadable.length > 0 ? `More toolsets can be loaded with \`load_tools\`: ${loadable.join(", ")}` : "",
    delegates ? DELEGATION_CLAUSE : "",
    lean ? LEAN_CLAUSE : "",
  ];
  return parts.map((part) => part.trim()).filter((part) => part).join("\n\n");
}

/** What an agent is told that has others to hand work to (K-191). */
export const DELEGATION_CLAUSE =
  "You have sub-agents: hand specialized work to them with `spawn_subagent`. The question decides what is specialized, not " +
  "how sure you are: whatever may have changed since you were trained, and whatever somebody could look up, goes to a " +
  "sub-agent, also when you feel certain. A sub-agent does not see this conversation, so give it the whole task. Tasks that " +
  "do not need each other can be given out in one go.";

/** What an agent is told that has nothing for work in the world itself (K-191). */
export const LEAN_CLAUSE =
  "You have almost no tools for work in the world yourself, and that is intended. Do not do such work in your head: " +
  "delegate it, arithmetic included.";

/** Stands for model calls of a sub-agent that are left out of its next requests (K-153). */
export function leftOutLine(rounds: number, tools: readonly string[]): string {
  const counts = Map.groupBy(tools, (name) => name);
  const used = [...counts].map(([name, all]) => all.length > 1 ? `${name} (${all.length} times)` : name);
  const called = used.length > 0 ? ` In them you called ${used.join(", ")}; their results are left out too.` : "";
  return `[Left out here to make room: your first ${
    rounds === 1 ? "step" : `${rounds} steps`
  } on this task.${called} What you need of it again, look up again.]`;
}

/** Asks a model that said nothing to go on (K-144). */
export const CONTINUE_PROMPT = "You have not answered yet. Go on: call a tool, or answer.";

/** Asks for an answer without tools once the calls of a turn are used up (K-145). */
export const WRAP_UP_PROMPT =
  "No more tool calls can be made in this turn. Answer now with what you have, and say plainly what is missing.";

/** Asks a model to go on after a turn that did not come to its end. */
export const RESUME_PROMPT = "Go on from where you stopped.";
