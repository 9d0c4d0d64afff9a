/**
 * The desk: every question that waits for a person, over all conversations, and the answers to them.
 *
 * Invariants (tests/core/turn/approvals/desk_test.ts)
 * 1. A question is decided once: by a person, by a rule made meanwhile, by its time limit, or by the end of its turn.
 * 2. A decision is durable before the call runs; one that could not be stored runs nothing.
 * 3. Several questions wait side by side and are answered in any order.
 * 4. After its turn or its time is over, an answer is refused and nothing runs (casebook, "Approval never answered").
 *
 * @module
 */
import type { Recorder } from "../../agent/mod.ts";
import { BadRequest, type ConversationBook } from "../../conversation/mod.ts";
import type {
  Approval,
  ApprovalAnswer,
  ApprovalData,
  ApprovalRule,
  Feed,
  LogReader,
  OpenEntry,
} from "../../log/mod.ts";
import { canonicalJson, type GateAnswer, type GatedCall, ruleCovers } from "../../tool/mod.ts";
import { AlreadyDecided, type Approvals, QuestionNotFound } from "./contract.ts";
import type { RuleStore } from "./rule_store.ts";
import { deniedText } from "./sentences.ts";

/** Calls `run` after so many milliseconds, unless the function it gives back is called before. */
export type After = (ms: number, run: () => void) => () => void;

export interface DeskServices {
  readonly book: Pick<ConversationBook, "stored">;
  readonly log: Pick<LogReader, "entries">;
  readonly feed: Feed;
  readonly rules: RuleStore;
  readonly now: () => Date;
  /** `[security].approval_timeout`, in milliseconds. */
  readonly timeoutMs: number;
  /** A timer if absent. */
  readonly after?: After;
}

/** What is asked: the call, what its entry holds besides the time limit, and where it is written. */
export interface Asking {
  readonly call: GatedCall;
  readonly data: ApprovalData;
  readonly recorder: Recorder;
  /** Rules that end with the turn. */
  readonly turnRules: ApprovalRule[];
}

interface Question extends Asking {
  readonly handle: OpenEntry<"approval">;
  title: string;
  readonly resolve: (answer: GateAnswer) => void;
  readonly reject: (error: unknown) => void;
  /** Ends what would decide it besides a person. */
  readonly release: () => void;
}

/** The longest a timer can wait: 24 days. */
const LONGEST_WAIT = 2 ** 31 - 1;

export class ApprovalDesk implements Approvals {
  readonly #services: DeskServices;
  readonly #waiting = new Map<string, Question>();
  readonly #listeners = new Set<(waiting: readonly Approval[]) => void>();
  readonly #attendants = new Set<(conversation: string) => boolean>();
  readonly #unsubscribe: () => void;

  constructor(services: DeskServices) {
    this.#services = services;
    this.#unsubscribe = services.feed.subscribe((operation) => {
      if (operation.op === "conversation") this.#retitle(operation.conversation.id, operation.conversation.title);
    });
  }

  /** Listens no longer. What waits is closed by the end of its turn. */
  close(): void {
    this.#unsubscribe();
  }

  /** @inheritdoc */
  waiting(): readonly Approval[] {
    return [...this.#waiting.values()].filter(({ handle }) => handle.isAnnounced).map(approvalOf);
  }

  /** @inheritdoc */
  rules(conversation?: string) {
    return this.#services.rules.list(conversation);
  }

  /** @inheritdoc */
  async revoke(rule: string): Promise<void> {
    await this.#services.rules.remove(rule);
  }

  /** @inheritdoc */
  restore(rule: string) {
    return this.#services.rules.restore(rule);
  }

  /** @inheritdoc */
  subscribe(listener: (waiting: readonly Approval[]) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** @inheritdoc */
  attend(isWatched: (conversation: string) => boolean): () => void {
    this.#attendants.add(isWatched);
    return () => this.#attendants.delete(isWatched);
  }

  /** Whether some client shows this conversation. */
  isAttended(conversation: string): boolean {
    return [...this.#attendants].some((isWatched) => isWatched(conversation));
  }

  /** Asks a person, and resolves when it is decided. Throws the signal's reason when that aborts first. */
  async ask(asking: Asking, signal: AbortSignal): Promise<GateAnswer> {
    const { book, now, timeoutMs, after = timer } = this.#services;
    const { title } = await book.stored(asking.call.conversation);
    signal.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<GateAnswer>();
    const expires_at = new Date(now().getTime() + timeoutMs).toISOString();
    const handle = asking.recorder.openApproval({ ...asking.data, expires_at });
    const onAbort = () => this.#abandon(question, signal.reason);
    const cancel = after(
      Math.min(timeoutMs, LONGEST_WAIT),
      () => void this.#close(question, { decision: "deny", by: "timeout" }).catch(() => {}),
    );
    const release = () => {
      cancel();
      signal.removeEventListener("abort", onAbort);
    };
    const question: Question = { ...asking, handle, title, resolve, reject, release };
    signal.addEventListener("abort", onAbort, { once: true });
    this.#waiting.set(keyOf(question), question);
    // Once it is stored, whoever hears of it can answer it.
    handle.durable.then(() => this.#announce(), (error) => {
      if (this.#take(question)) reject(error);
    });
    return await promise;
  }

  /** @inheritdoc */
  async answer(conversation: string, seq: number, answer: ApprovalAnswer): Promise<Approval> {
    const question = this.#waiting.get(`${conversation} ${seq}`);
    if (!question?.handle.isAnnounced) return await this.#refuse(conversation, seq);
    return await this.#close(question, decisionOf(question, answer));
  }

  /** Decides a question, if nobody has. */
  async #close(question: Question, decision: Partial<ApprovalData>): Promise<Approval> {
    const { call, recorder, handle } = question;
    if (!this.#take(question)) throw new AlreadyDecided(call.conversation, handle.seq);
    const data: ApprovalData = { ...handle.data, ...decision };
    let kept: string | null = null;
    try {
      kept = await this.#keepRule(question, data);
      if (!await recorder.endApproval(handle, data)) throw new AlreadyDecided(call.conversation, handle.seq);
    } catch (error) {
      if (kept !== null) await this.#services.rules.remove(kept).catch(() => {});
      question.reject(error);
      this.#announce();
      throw error;
    }
    if (data.decision === "allow") {
      question.resolve({ allow: true, ...data.changed !== undefined && { arguments: data.changed } });
      this.#applyRule(question, data);
    } else question.resolve({ allow: false, reason: deniedText(data) });
    this.#announce();
    return approvalOf(question);
  }

  async #keepRule({ call }: Question, { decision, scope, rule, by }: ApprovalData): Promise<string | null> {
    if (decision !== "allow" || by !== "person" || !rule || scope === undefined) return null;
    if (scope === "once" || scope === "turn") return null;
    return await this.#services.rules.add(rule, scope === "always" ? null : call.conversation);
  }

  /** Lets what waits and is covered by the rule that was just made run too. */
  #applyRule(question: Question, { scope, rule, by }: ApprovalData): void {
    if (!rule || by !== "person" || scope === undefined || scope === "once") return;
    if (scope === "turn") question.turnRules.push(rule);
    for (const other of [...this.#waiting.values()]) {
      const isNear = scope === "always" || other.call.conversation === question.call.conversation &&
          (scope === "conversation" || other.turnRules === question.turnRules);
      if (!isNear || !ruleCovers(rule, other.call)) continue;
      this.#close(other, { decision: "allow", by: "policy", scope, rule }).catch(() => {});
    }
  }

  /** The turn is over: nobody can answer any more. */
  #abandon(question: Question, reason: unknown): void {
    if (!this.#take(question)) return;
    const { recorder, handle } = question;
    recorder.endApproval(handle, handle.data).catch(() => {});
    question.reject(reason);
    this.#announce();
  }

  /** Takes a question off the desk; `false` when it was taken before. */
  #take(question: Question): boolean {
    if (!this.#waiting.delete(keyOf(question))) return false;
    question.release();
    return true;
  }

  /** Says why a question cannot be answered. */
  async #refuse(conversation: string, seq: number): Promise<never> {
    const { book, log } = this.#services;
    await book.stored(conversation);
    const { items } = await log.entries(conversation, { after: seq - 1, limit: 1, all: true });
    const [entry] = items;
    if (entry?.seq === seq && entry.kind === "approval") throw new AlreadyDecided(conversation, seq);
    throw new QuestionNotFound(conversation, seq);
  }

  #retitle(conversation: string, title: string): void {
    const moved = [...this.#waiting.values()].filter((each) =>
      each.call.conversation === conversation && each.title !== title
    );
    for (const question of moved) question.title = title;
    if (moved.length > 0) this.#announce();
  }

  #announce(): void {
    const waiting = this.waiting();
    for (const listener of this.#listeners) listener(waiting);
  }
}

/** What a person's answer makes of a question. Throws `BadRequest`. */
function decisionOf({ call, handle }: Question, answer: ApprovalAnswer): Partial<ApprovalData> {
  const { decision, scope, reason: said = "" } = answer;
  const reason = said.trim();
  if (decision === "deny") {
    if (scope !== undefined && scope !== "once") {
      throw new BadRequest("scope", "Only an allowance can hold for longer than one call");
    }
    if (answer.arguments !== undefined) throw new BadRequest("arguments", "A call that is denied runs with none");
    return { decision, by: "person", ...reason && { reason } };
  }
  const { rule } = handle.data;
  if (scope !== undefined && scope !== "once" && !rule) {
    throw new BadRequest("scope", `${call.tool} can be allowed once only: no rule is safe for it`);
  }
  const isChanged = answer.arguments !== undefined && canonicalJson(answer.arguments) !== canonicalJson(call.arguments);
  const problem = isChanged ? call.check(answer.arguments) : null;
  if (problem !== null) throw new BadRequest("arguments", `They do not fit ${call.tool}. ${problem}`);
  return {
    decision,
    by: "person",
    scope: scope ?? "once",
    ...reason && { reason },
    ...isChanged && { changed: answer.arguments },
    // Exactly these arguments are those the person let run.
    ...isChanged && rule?.arguments !== undefined && { rule: { ...rule, arguments: answer.arguments } },
  };
}

function approvalOf({ call, handle, title }: Question): Approval {
  const { conversation, turn, run, about } = call;
  return {
    ...handle.data,
    conversation,
    title,
    seq: handle.seq,
    turn,
    run,
    about,
    at: handle.entry.at,
  } satisfies Approval;
}

function keyOf({ call, handle }: Question): string {
  return `${call.conversation} ${handle.seq}`;
}

function timer(ms: number, run: () => void): () => void {
  const id = setTimeout(run, ms);
  return () => clearTimeout(id);
}
