/**
 * The questions that wait for a person, over all conversations, and how one is answered.
 *
 * Invariants (tests/components/state/approvals_test.ts pins each)
 * 1. The list is what the server said last; a transcript that knows a question as decided goes before it.
 * 2. An answer goes out once: while one is on its way a second one is not sent.
 * 3. What reads which questions wait is told when others do, not with each piece of an answer that streams.
 * 4. What keeps an answer from counting is a sentence; a question that was decided elsewhere is none, it only closes.
 *
 * @module
 */
import { computed, type ReadonlySignal, signal } from "@preact/signals";
import type { Approval, ApprovalAnswer, Entry } from "../../core/log/entry.ts";
import { entryOf, type Transcript } from "../../core/log/folds/transcript.ts";
import { type Api, ApiError, NotConnected } from "./api.ts";

/** Names a question: its conversation and the `seq` of its entry. */
export interface QuestionPlace {
  readonly conversation: string;
  readonly seq: number;
}

export class Approvals {
  readonly #api: Pick<Api, "answer">;
  readonly #waiting = signal<readonly Approval[]>([]);
  readonly #going = signal<ReadonlySet<string>>(new Set());

  constructor(api: Pick<Api, "answer">) {
    this.#api = api;
  }

  /** All that wait, oldest first, as the server said last. */
  get waiting(): ReadonlySignal<readonly Approval[]> {
    return this.#waiting;
  }

  /** Takes in the list of a `hello` or an `approvals` frame; anything else is ignored. */
  take(items: unknown): void {
    if (Array.isArray(items)) this.#waiting.value = items as readonly Approval[];
  }

  /** Whether an answer to it is on its way. */
  isGoing(place: QuestionPlace): boolean {
    return this.#going.value.has(keyOf(place));
  }

  /** What the tool behind a question does, where that is known. */
  about({ conversation, seq }: QuestionPlace): string | undefined {
    return this.#waiting.value.find((item) => item.conversation === conversation && item.seq === seq)?.about;
  }

  /** Sends an answer. Gives `null`, or the sentence that says why it did not count. */
  async answer(place: QuestionPlace, answer: ApprovalAnswer): Promise<string | null> {
    if (this.isGoing(place)) return null;
    const key = keyOf(place);
    this.#going.value = new Set([...this.#going.value, key]);
    try {
      await this.#api.answer(place.conversation, place.seq, answer);
      this.#close(place);
      return null;
    } catch (error) {
      if (error instanceof NotConnected) return NOT_NOW;
      if (!(error instanceof ApiError)) throw error;
      if (error.status === 404 || error.status === 409) this.#close(place);
      return error.status === 409 ? null : error.message;
    } finally {
      this.#going.value = new Set([...this.#going.value].filter((other) => other !== key));
    }
  }

  #close({ conversation, seq }: QuestionPlace): void {
    this.#waiting.value = this.#waiting.value.filter((item) => item.conversation !== conversation || item.seq !== seq);
  }
}

/** What is said of a question while there is no connection. */
export const NOT_NOW = "Not connected. It can be answered when the connection is back";

/** Whether an entry is a question that nobody has decided. */
export function isWaiting(entry: Entry): entry is Entry<"approval"> {
  return entry.kind === "approval" && entry.state === "open" && entry.data.decision === undefined;
}

/** The questions of the turn that runs, sub-agents' too, oldest first. */
export function waitingIn(transcript: Transcript): readonly Entry<"approval">[] {
  const view = transcript.turns.at(-1);
  return view?.turn.status === "running" ? view.entries.filter(isWaiting) : [];
}

/** The `seq`s of all that wait in the conversation of a transcript: those it holds, and those only the list knows. */
export function waitingSeqs(transcript: Transcript, listed: readonly Approval[]): readonly number[] {
  const unknown = listed.filter(({ conversation, seq }) =>
    conversation === transcript.conversation && entryOf(transcript, seq) === undefined
  );
  return [...waitingIn(transcript), ...unknown].map(({ seq }) => seq).sort((a, b) => a - b);
}

/** As `waitingSeqs` says, and another list only when it holds others. */
export function waitingSignal(
  transcript: ReadonlySignal<Transcript>,
  listed: ReadonlySignal<readonly Approval[]>,
): ReadonlySignal<readonly number[]> {
  let held: readonly number[] = [];
  return computed(() => {
    const next = waitingSeqs(transcript.value, listed.value);
    if (next.length !== held.length || next.some((seq, index) => seq !== held[index])) held = next;
    return held;
  });
}

function keyOf({ conversation, seq }: QuestionPlace): string {
  return `${conversation} ${seq}`;
}
