/**
 * A conversation's operations made by hand, in the order a server would announce them.
 *
 * @module
 */
import type { Entry, EntryData, EntryKind, LogOperation, Turn, Usage } from "../../core/log/entry.ts";

const AT = "2026-11-30T09:00:00.000Z";

export const USAGE: Usage = {
  calls: 2,
  reported_calls: 2,
  input_tokens: 8412,
  output_tokens: 906,
  cached_tokens: 0,
  reasoning_tokens: 0,
  model_seconds: 1.2,
  wall_seconds: 1.4,
  models: ["demo:tour"],
  by_agent: {},
};

export class ScriptedLog {
  readonly conversation: string;
  readonly operations: LogOperation[] = [];
  readonly #open = new Map<number, Entry>();
  #seq = 0;
  #turn: Turn | null = null;

  constructor(conversation = "01CONVERSATION") {
    this.conversation = conversation;
  }

  /** Starts a turn after the one before. */
  turn(change: Partial<Turn> = {}): Turn {
    const n = (this.#turn?.n ?? 0) + 1;
    this.#turn = {
      id: `01TURN${n}`,
      conversation: this.conversation,
      n,
      parent: this.#turn?.id ?? null,
      origin: "person",
      status: "running",
      agent: "assistant",
      model: "demo:tour",
      thinking: null,
      usage: null,
      failure: null,
      token: null,
      started_at: AT,
      ended_at: null,
      ...change,
    };
    this.operations.push({ op: "turn", conversation: this.conversation, turn: this.#turn });
    return this.#turn;
  }

  /** Ends the turn, done unless `change` says otherwise. */
  end(change: Partial<Turn> = {}): void {
    this.#turn = { ...this.#turn!, status: "done", usage: USAGE, ended_at: AT, ...change };
    this.operations.push({ op: "turn", conversation: this.conversation, turn: this.#turn });
  }

  /** Appends an entry and gives its `seq`. */
  add<K extends EntryKind>(
    kind: K,
    data: EntryData[K],
    change: Partial<Pick<Entry, "state" | "run" | "parent_run">> = {},
  ): number {
    const seq = ++this.#seq;
    const entry = {
      conversation: this.conversation,
      seq,
      turn: this.#turn?.id ?? null,
      run: null,
      parent_run: null,
      kind,
      state: "done",
      at: AT,
      data,
      ...change,
    } as Entry;
    if (entry.state === "open") this.#open.set(seq, entry);
    this.operations.push({ op: "entries", conversation: this.conversation, items: [entry], last_seq: seq });
    return seq;
  }

  user(text: string, token?: string): number {
    return this.add("user", { text, images: [], from: "person", ...(token === undefined ? {} : { token }) });
  }

  /** An answer or a thought that grows by the pieces and is closed, unless `open`. */
  stream(kind: "text" | "thinking", pieces: readonly string[], open = false): number {
    const seq = this.add(kind, { text: "" }, { state: "open" });
    let text = "";
    for (const piece of pieces) {
      this.operations.push({ op: "delta", conversation: this.conversation, seq, at: text.length, text: piece });
      text += piece;
    }
    if (!open) this.close(seq, { text });
    return seq;
  }

  close(seq: number, data: EntryData[EntryKind]): void {
    this.#open.delete(seq);
    this.operations.push({ op: "patch", conversation: this.conversation, seq, state: "done", data });
  }

  delta(seq: number, at: number, text: string): void {
    this.operations.push({ op: "delta", conversation: this.conversation, seq, at, text });
  }
}
