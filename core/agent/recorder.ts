/**
 * The pen of one run: turns what a model and its tools do into entries of the log.
 *
 * Invariant: what the model is shown next is a fold over the entries written here, never a second list
 * (tests/core/agent/run_test.ts, "the second request is the fold of the stored entries").
 *
 * @module
 */
import {
  type ApprovalData,
  type Closing,
  closing,
  type CompactionData,
  type ContextMessage,
  type Entry,
  type EntryData,
  type EntryKind,
  foldContext,
  type InboxData,
  INTERRUPTED,
  type Log,
  type NoticeData,
  type OpenEntry,
  type RoundData,
  type RunData,
  type Signature,
} from "../log/mod.ts";
import type { Statement } from "../storage/mod.ts";

/** Whose entries are written. */
export interface RecorderScope {
  readonly conversation: string;
  readonly turn: string;
  /** A sub-agent's run; absent for the entry agent. */
  readonly run?: string;
  readonly parentRun?: string;
}

type Speech = "thinking" | "text";

export class Recorder {
  readonly #log: Log;
  readonly #now: () => Date;
  readonly #written: (() => Entry)[] = [];
  readonly #writes: Promise<unknown>[] = [];
  readonly #tools = new Set<OpenEntry<"tool">>();
  readonly #questions = new Set<OpenEntry<"approval">>();
  #speech: { readonly handle: OpenEntry<Speech>; readonly kind: Speech; readonly began: number } | undefined;

  constructor(log: Log, readonly scope: RecorderScope, now: () => Date) {
    this.#log = log;
    this.#now = now;
  }

  /** What this run adds to what its model is sent. `said` are entries of the run written before it began. */
  context(said: readonly Entry[]): ContextMessage[] {
    return foldContext([...said, ...this.entries], this.scope.run ?? null);
  }

  /** Every entry of this run so far, as it stands. */
  get entries(): readonly Entry[] {
    return this.#written.map((entry) => entry());
  }

  /** Adds to the thinking or text that grows, or begins some. */
  say(kind: Speech, piece: string): void {
    if (this.#speech?.kind !== kind) {
      this.endSpeech();
      const handle = this.#open(kind, { text: piece });
      this.#speech = { handle, kind, began: this.#now().getTime() };
      return;
    }
    this.#speech.handle.grow(piece);
  }

  /** Keeps a provider's replay data with the thinking or text that grows; without any it stands on its own. */
  sign(kind: Speech, signature: Signature): void {
    if (this.#speech?.kind !== kind) {
      this.endSpeech();
      this.#speech = { handle: this.#open(kind, { text: "" }), kind, began: this.#now().getTime() };
    }
    this.endSpeech(signature);
  }

  /** Closes the thinking or text that grows. */
  endSpeech(signature?: Signature): void {
    const speech = this.#speech;
    if (!speech) return;
    this.#speech = undefined;
    const { text } = speech.handle.data;
    const ms = speech.kind === "thinking" ? { ms: this.#now().getTime() - speech.began } : {};
    this.#track(speech.handle.close({ text, ...ms, ...(signature ? { signature } : {}) }));
  }

  /** Begins a tool call: its entry is open until it has a result. */
  startTool(call: string, name: string, toolset: string): OpenEntry<"tool"> {
    this.endSpeech();
    const handle = this.#open("tool", { call, name, toolset, arguments: {}, status: "waiting" });
    this.#tools.add(handle);
    return handle;
  }

  /**
   * Closes a call with its result, and what ends with it, in one transaction. A second result for the same call is dropped:
   * the first one stands.
   */
  async endTool(
    handle: OpenEntry<"tool">,
    data: EntryData["tool"],
    together: readonly Closing[] = [],
  ): Promise<void> {
    const isFirst = this.#tools.delete(handle);
    const ends = isFirst ? [...together, closing(handle, data)] : together;
    if (ends.length > 0) await this.#track(this.#log.closeAll(ends));
  }

  /** Opens the card of the run that is written here: the first of its entries, which holds its task. */
  openCard(data: RunData): OpenEntry<"run"> {
    return this.#open("run", data);
  }

  /** Writes what is left out of the next requests. */
  compact(data: CompactionData): void {
    this.#append("compaction", data);
  }

  /** Asks about a call: the entry is open until it is decided. Speech goes on beside it. */
  openApproval(data: ApprovalData): OpenEntry<"approval"> {
    const handle = this.#open("approval", data);
    this.#questions.add(handle);
    return handle;
  }

  /** Closes a question with what was decided, once that is durable; `false` when it was closed before, and stays as it is. */
  async endApproval(handle: OpenEntry<"approval">, data: ApprovalData): Promise<boolean> {
    if (!this.#questions.delete(handle)) return false;
    await this.#track(handle.close(data));
    return true;
  }

  /** Writes a decision that nobody was asked for; resolves when it is durable. */
  async decided(data: ApprovalData): Promise<void> {
    await this.#track(this.#write("approval", data));
  }

  /** Writes what the loop itself says to the model. */
  inject(text: string, injected: "continuation" | "wrap_up"): void {
    this.#append("user", { text, images: [], from: "loop", injected });
  }

  /** Writes a message that came while the run was running; resolves when it is durable, and only then may it be sent on. */
  async deliver(data: InboxData, also: readonly Statement[]): Promise<void> {
    await this.#append("inbox", data, also);
  }

  /** Writes what a model call was and used. */
  round(data: RoundData): void {
    this.#append("round", data);
  }

  /** Tells the person something about the turn. */
  notice(text: string, level: NoticeData["level"]): void {
    this.#append("notice", { text, level });
  }

  /** Closes everything that is open, calls without a result as interrupted. */
  async end(): Promise<void> {
    this.endSpeech();
    for (const handle of [...this.#tools]) {
      await this.endTool(handle, { ...handle.data, status: "interrupted", result: INTERRUPTED });
    }
    for (const handle of [...this.#questions]) await this.endApproval(handle, handle.data);
    await this.settled();
  }

  /** Waits until all that was written is durable. Throws the first failure. */
  async settled(): Promise<void> {
    while (this.#writes.length > 0) await Promise.all(this.#writes.splice(0));
  }

  #open<K extends EntryKind>(kind: K, data: EntryData[K]): OpenEntry<K> {
    const { conversation, turn, run, parentRun } = this.scope;
    const handle = this.#log.appendOpen(conversation, { turn, run, parent_run: parentRun, kind, data });
    this.#written.push(() => handle.entry);
    this.#track(handle.durable);
    return handle;
  }

  #append<K extends EntryKind>(kind: K, data: EntryData[K], also: readonly Statement[] = []): Promise<unknown> {
    this.endSpeech();
    return this.#track(this.#write(kind, data, also));
  }

  async #write<K extends EntryKind>(kind: K, data: EntryData[K], also: readonly Statement[] = []): Promise<void> {
    const { conversation, turn, run, parentRun } = this.scope;
    const draft = { turn, run, parent_run: parentRun, kind, data };
    // It stands in its place at once: the database only confirms it.
    const numbered = (entry: Entry) => void this.#written.push(() => entry);
    await this.#log.append(conversation, draft, { also, numbered });
  }

  #track<T>(write: Promise<T>): Promise<T> {
    write.catch(() => {});
    this.#writes.push(write);
    return write;
  }
}
