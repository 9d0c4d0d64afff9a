/**
 * Questions that wait where nobody looks: who hears of them, and in which words (K-186).
 *
 * Invariants (tests/web/unwatched_questions_test.ts)
 * 1. Each question is told once, also when it was in view first and is not any more.
 * 2. All questions of a conversation are one alert: a newer one takes the place of the older.
 *
 * @module
 */
import type { Approval } from "../core/log/mod.ts";

/** An `alert` frame (API.md, "Live socket"). */
export interface QuestionAlert {
  readonly op: "alert";
  readonly id: string;
  readonly level: "warning";
  readonly text: string;
  readonly conversation: string;
  readonly group: string;
  readonly [key: string]: unknown;
}

export class UnwatchedQuestions {
  /** What was told of and still waits. */
  #told: ReadonlySet<string> = new Set();

  /** Takes in what waits now. Gives what is to be said, if anything. */
  take(waiting: readonly Approval[], isWatched: (conversation: string) => boolean): readonly QuestionAlert[] {
    const fresh = waiting.filter((each) => !this.#told.has(keyOf(each)) && !isWatched(each.conversation));
    const still = waiting.filter((each) => this.#told.has(keyOf(each)));
    this.#told = new Set([...still, ...fresh].map(keyOf));
    return [...Map.groupBy(fresh, ({ conversation }) => conversation)].map(([conversation, questions]) =>
      alertOf(conversation, questions, waiting.filter((each) => each.conversation === conversation).length)
    );
  }
}

function alertOf(conversation: string, questions: readonly Approval[], all: number): QuestionAlert {
  const [first] = questions;
  const what = all === 1 ? `${first?.agent} asks to run ${first?.tool}` : `${all} calls wait for your answer`;
  return {
    op: "alert",
    id: `approval:${conversation}:${questions.at(-1)?.seq}`,
    level: "warning",
    text: `${what} in “${first?.title}”`,
    conversation,
    group: `approval:${conversation}`,
  };
}

function keyOf({ conversation, seq }: Approval): string {
  return `${conversation} ${seq}`;
}
