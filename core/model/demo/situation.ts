/**
 * What a request means to the tour: the question, what has been found for it, and what was said before.
 *
 * @module
 */
import type { ModelMessage, ModelRequest } from "../contract.ts";

/** One call that was made, with its answer. */
export interface Finding {
  readonly name: string;
  readonly arguments: unknown;
  readonly result: string;
  readonly failed: boolean;
}

/** A conversation as the tour reads it. */
export interface Situation {
  /** The person's newest message. */
  readonly question: string;
  /** What was called for it so far, round by round. */
  readonly rounds: readonly (readonly Finding[])[];
  /** Found for the message before it, which it cut short before an answer. */
  readonly unanswered: readonly Finding[];
  /** The person's earlier messages, oldest first. */
  readonly earlier: readonly string[];
}

const GO_ON = /^(?:please\s+)?(?:go on|continue|carry on|resume)\b/i;

/** Reads a request. A "go on", or the loop's last call without tools, belongs to the question before it. */
export function readSituation(request: ModelRequest): Situation {
  const { messages } = request;
  let at = messages.findLastIndex((message) => message.role === "user");
  if (request.toolChoice === "none" && messages[at - 1]?.role === "tool") at = userBefore(messages, at);
  while (GO_ON.test(textAt(messages, at)) && userBefore(messages, at) >= 0) at = userBefore(messages, at);
  const previous = userBefore(messages, at);
  return {
    question: textAt(messages, at),
    rounds: findingsIn(messages.slice(at + 1)),
    unanswered: messages[at - 1]?.role === "tool" ? findingsIn(messages.slice(previous + 1, at)).flat() : [],
    earlier: messages.slice(0, Math.max(0, at)).map((_, index) => textAt(messages, index))
      .filter((text) => text !== "" && !GO_ON.test(text)),
  };
}

function userBefore(messages: readonly ModelMessage[], at: number): number {
  return at <= 0 ? -1 : messages.findLastIndex((message, index) => index < at && message.role === "user");
}

/** Characters of a message that are read: the rules look at its beginning, and no paste makes them slow. */
const MAX_READ = 2_000;

function textAt(messages: readonly ModelMessage[], at: number): string {
  const message = messages[at];
  return message?.role === "user" ? message.text.slice(0, MAX_READ).trim() : "";
}

function findingsIn(messages: readonly ModelMessage[]): readonly (readonly Finding[])[] {
  const rounds: Finding[][] = [];
  for (const [index, message] of messages.entries()) {
    if (message.role !== "assistant") continue;
    const found: Finding[] = [];
    for (const part of message.parts) {
      if (part.type !== "tool_call") continue;
      const answer = messages.slice(index + 1).find((each) => each.role === "tool" && each.call === part.call);
      if (answer?.role !== "tool") continue;
      found.push({
        name: part.name,
        arguments: part.arguments,
        result: answer.result,
        failed: answer.failed ?? false,
      });
    }
    if (found.length > 0) rounds.push(found);
  }
  return rounds;
}
