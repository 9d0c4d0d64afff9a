/**
 * What the demonstration offers to do: its five openings for the empty page, and the one line that says what it is.
 *
 * @module
 */

/** One thing to ask, and what it will show. */
export interface TourOpening {
  /** What the person says; sent as it stands. */
  readonly say: string;
  /** A few words on what will be seen. */
  readonly shows: string;
}

/** Said once on the empty page. */
export const TOUR_NOTICE =
  "You are talking to the demonstration model. It follows rules instead of thinking, needs no network, and knows the " +
  "requests below. The tools it uses are the real ones.";

/** The requests of the openings, by what they show. */
export const ASK = {
  help: "What can you do here?",
  time: "What time is it in Tokyo?",
  sum: "What is 17% of 2,340?",
  both: "What is 2^64, and also what day is it in Auckland?",
  answer: "Show me a table, some code and a formula",
  connect: "How do I connect a real model?",
  name: "My name is Robin",
  first: "What was the first thing I said?",
} as const;

/** The clock: with the next two, the tools the tour knows the answers of. Any other it calls by its schema, and quotes. */
export const CLOCK_TOOL = "get_current_date_and_time";

/** The converter of times. */
export const CONVERT_TOOL = "convert_time";

/** The calculator. */
export const SUM_TOOL = "calculate";

/** What hands work to a sub-agent. */
export const SPAWN_TOOL = "spawn_subagent";

/** The sub-agent that has the calculator where the tour has not. */
export const CALCULATING_AGENT = "coder";

/** A tool as far as it has to be known to say what can be asked. */
export interface ToolAtHand {
  readonly name: string;
  readonly description?: string;
}

/** Whether a sum can be handed to a sub-agent. */
export function canHandOver(tools: readonly ToolAtHand[]): boolean {
  const spawn = tools.find(({ name }) => name === SPAWN_TOOL);
  return spawn?.description?.includes(`- ${CALCULATING_AGENT}`) ?? false;
}

/**
 * Five openings that work with the tools at hand, in a good order to try them. With the clock and the calculator both there,
 * one of the five shows two calls at once.
 */
export function tourOpenings(tools: readonly ToolAtHand[]): readonly TourOpening[] {
  const has = (name: string) => tools.some((tool) => tool.name === name);
  const clock = has(CLOCK_TOOL);
  const helped = !has(SUM_TOOL) && canHandOver(tools);
  const sum = has(SUM_TOOL) || helped;
  const offers: readonly (TourOpening | false)[] = [
    { say: ASK.help, shows: tools.length === 0 ? "what works here" : "the tools, and their limits" },
    clock && { say: ASK.time, shows: "a tool call" },
    clock && sum && { say: ASK.both, shows: helped ? "a tool and a sub-agent at once" : "two calls at once" },
    sum && !clock && { say: ASK.sum, shows: helped ? "a sub-agent at work" : "a tool call" },
    { say: ASK.answer, shows: "how an answer is set" },
    { say: ASK.connect, shows: "the next step" },
    { say: ASK.name, shows: "what it remembers" },
    { say: ASK.first, shows: "the conversation, read back" },
  ];
  return offers.filter((offer) => offer !== false).slice(0, 5);
}
