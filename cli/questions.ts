/**
 * The questions of the conversation in view: each is printed at once and whole, and the lines typed from then on answer them,
 * the oldest first.
 *
 * Invariants (tests/cli/questions_test.ts pins each)
 * 1. A line answers only a question that was printed before it was typed.
 * 2. Each question is printed once and answered once; one that was answered elsewhere says so.
 * 3. Where nobody can type, it says where to answer, and waits.
 *
 * @module
 */
import { MALAMA_COMMAND } from "../core/config/mod.ts";
import type { Entry } from "../core/log/mod.ts";
import { withoutControls } from "./control_filter.ts";
import { choicesText, questionText, readAnswer } from "./question_text.ts";
import type { Style } from "./style.ts";
import { type Wire, WireError } from "./wire.ts";
import { count } from "./words.ts";

export interface QuestionsOptions {
  readonly wire: Wire;
  readonly style: Style;
  /** Whether a person sits there who can type an answer. */
  readonly interactive: boolean;
  /** Prints one line or more of our own. */
  readonly note: (text: string) => void;
}

export class Questions {
  readonly #options: QuestionsOptions;
  readonly #printed = new Set<number>();
  readonly #answered = new Set<number>();
  /** Printed, not answered here, not decided: the oldest first. */
  #waiting: readonly Entry<"approval">[] = [];

  constructor(options: QuestionsOptions) {
    this.#options = options;
  }

  /** How many wait for an answer. */
  get size(): number {
    return this.#waiting.length;
  }

  /** Whether the next line answers a question. */
  get takesLines(): boolean {
    return this.#options.interactive && this.#waiting.length > 0;
  }

  /** Takes in the questions of the turn in view as they stand; `running`: whether that turn still runs. */
  update(entries: readonly Entry<"approval">[], running: boolean): void {
    const before = this.#waiting;
    const open = running ? entries.filter(({ data, state }) => state === "open" && data.decision === undefined) : [];
    this.#waiting = open.filter(({ seq }) => !this.#answered.has(seq));
    for (const { seq } of before) {
      const entry = entries.find((each) => each.seq === seq);
      if (!entry || this.#answered.has(seq) || entry.data.by !== "person") continue;
      this.#options.note(`${withoutControls(entry.data.tool)} was answered elsewhere`);
    }
    for (const entry of this.#waiting) {
      if (this.#printed.has(entry.seq)) continue;
      this.#printed.add(entry.seq);
      this.#print(entry);
    }
  }

  /** Another conversation comes into view. */
  clear(): void {
    this.#printed.clear();
    this.#answered.clear();
    this.#waiting = [];
  }

  /** Answers the oldest question with a line. Throws `NotConnected`; then it still waits. */
  async answer(line: string): Promise<void> {
    const entry = this.#waiting[0];
    if (!entry) return;
    const { wire, note } = this.#options;
    const { conversation, seq, data } = entry;
    const read = readAnswer(line, data);
    if (read.kind === "advice") return note(withoutControls(read.advice));
    const { decision, scope, reason } = read;
    this.#set(seq, true);
    const left = this.#left();
    try {
      await wire.post(`/api/approvals/${encodeURIComponent(conversation)}/${seq}`, { decision, scope, reason });
    } catch (error) {
      if (error instanceof WireError) {
        if (error.status !== 409 && error.status !== 404) this.#set(seq, false, entry);
        return note(error.status === 409 ? `${withoutControls(data.tool)} was answered elsewhere` : error.message);
      }
      this.#set(seq, false, entry);
      throw error;
    }
    if (left !== null) note(left);
  }

  #set(seq: number, answered: boolean, back?: Entry<"approval">): void {
    if (answered) this.#answered.add(seq);
    else this.#answered.delete(seq);
    this.#waiting = back ? [back, ...this.#waiting] : this.#waiting.filter((each) => each.seq !== seq);
  }

  /** What waits still, in a sentence; `null` when nothing does. */
  #left(): string | null {
    const next = this.#waiting[0]?.data;
    if (!next) return null;
    return withoutControls(
      `${count(this.#waiting.length, "question")} left, the next: ${next.agent} asks to run ${next.tool}`,
    );
  }

  #print(entry: Entry<"approval">): void {
    const { style, interactive, note, wire } = this.#options;
    const way = interactive
      ? choicesText(entry.data)
      : `  It waits. Answer it on the page: ${wire.url}/c/${entry.conversation} ` +
        `(${MALAMA_COMMAND} login gives a link that signs in)`;
    const order = this.#waiting.findIndex(({ seq }) => seq === entry.seq);
    const place = interactive && order > 0 ? `\n  ${count(order, "question")} before it: that comes first` : "";
    note(`${questionText(entry, style)}\n${way}${place}`);
  }
}
