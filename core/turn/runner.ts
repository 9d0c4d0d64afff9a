/**
 * Turns: takes messages in, gives each conversation its slot, and knows what runs. What it is made of is beside it:
 * `submission.ts` (a message on its way in), `turn_lines.ts` (slots and what waits), `turn_begin.ts`, `turn_run.ts` and
 * `turn_end.ts` (one turn), `pending_desk.ts` (what waits), `reruns.ts` (other versions of a turn).
 *
 * Invariants (all in tests/core/turn/runner_test.ts)
 * 1. A message is durable before it is acknowledged, and is run exactly once, in the order of arrival.
 * 2. The same token never starts a second turn, also across a restart.
 * 3. At most one turn runs per conversation; conversations run side by side.
 * 4. Whatever happens, a turn ends with a status, its usage, and its partial text (K-094).
 * 5. Stopping ends one conversation's turn and nothing else (K-112); what waits behind it then runs.
 *
 * @module
 */
import { BadRequest, TurnInFlight } from "../conversation/mod.ts";
import { errorText, type PendingMessage, type Turn } from "../log/mod.ts";
import type { IncomingMessage, MessageReceipt, Rerun, Turns } from "./contract.ts";
import { followUp } from "./follow_up.ts";
import { PendingDesk } from "./pending_desk.ts";
import { recoverTurns } from "./recovery.ts";
import { otherMessage, resumption, sameMessage, type Stamp } from "./reruns.ts";
import { Submissions } from "./submission.ts";
import { TurnLines } from "./turn_lines.ts";
import type { TurnServices } from "./turn_services.ts";
import { readTurn } from "./turn_store.ts";
import { readWaiting, type WaitingMessage } from "./waiting_store.ts";

/** A turn that runs now, as the diagnostics show it. */
export interface ActiveTurn {
  readonly conversation: string;
  readonly turn: string;
  readonly phase: string;
  readonly age_seconds: number;
  readonly message: string;
}

export class TurnRunner implements Turns {
  readonly #services: TurnServices;
  readonly #lines: TurnLines;
  readonly #desk: PendingDesk;
  readonly #submissions: Submissions;

  constructor(services: TurnServices) {
    this.#services = services;
    this.#lines = new TurnLines(services);
    this.#desk = new PendingDesk(services, this.#lines);
    this.#submissions = new Submissions(services, this.#lines, (conversation) => this.stop(conversation));
  }

  /** Closes what a crash left open, then runs the messages that were accepted before it. */
  async recover(): Promise<void> {
    const { report, now, storage } = this.#services;
    const interrupted = await recoverTurns(storage.database, now, (turn, notice) => this.#lines.late.add(turn, notice));
    if (interrupted > 0) report("WARNING", "turns", `closed ${interrupted} interrupted turns`);
    const waiting = await readWaiting(storage.database);
    for (const message of [...this.#unread(waiting), ...waiting.filter(({ joins }) => joins === null)]) {
      this.#lines.accept(message, { isStored: true }).catch((error) => report("ERROR", "turns", errorText(error)));
    }
  }

  /** @inheritdoc */
  submit(conversation: string, message: IncomingMessage): Promise<MessageReceipt> {
    return this.#submissions.submit(conversation, message);
  }

  /** @inheritdoc */
  async stop(conversation: string): Promise<boolean> {
    const slot = this.#lines.slot(conversation);
    if (!slot?.current) return false;
    const over = slot.over;
    slot.end("person");
    await over;
    return true;
  }

  /** @inheritdoc */
  async resume(conversation: string): Promise<Turn> {
    const { book, storage } = this.#services;
    const { head } = await book.stored(conversation);
    if (this.isRunning(conversation)) throw new TurnInFlight(conversation);
    await this.#lines.late.settle(conversation);
    const turn = head === null ? null : await readTurn(storage.database, conversation, head);
    if (!turn || turn.status === "done" || turn.status === "running") {
      throw new BadRequest("", "There is nothing to go on with: the last turn came to its end. Send a message instead");
    }
    const message = resumption(turn, this.#stamp());
    await this.#lines.accept(message);
    return await readTurn(storage.database, conversation, message.id) ?? turn;
  }

  /** @inheritdoc */
  async regenerate(conversation: string, id: string, how: Rerun = {}): Promise<{ readonly turn: string }> {
    const { book, storage } = this.#services;
    await book.stored(conversation);
    const message = await sameMessage(storage.database, { conversation, id }, how, this.#stamp());
    await this.#lines.accept(message);
    return { turn: message.id };
  }

  /** @inheritdoc */
  async edit(conversation: string, id: string, text: string): Promise<{ readonly turn: string }> {
    const { book, storage } = this.#services;
    await book.stored(conversation);
    const message = await otherMessage(storage.database, { conversation, id }, text, this.#stamp());
    await this.#lines.accept(message);
    return { turn: message.id };
  }

  /** @inheritdoc */
  async pending(conversation: string): Promise<readonly PendingMessage[]> {
    await this.#services.book.stored(conversation);
    return await this.#desk.list(conversation);
  }

  /** @inheritdoc */
  async editPending(conversation: string, message: string, text: string): Promise<PendingMessage> {
    await this.#services.book.stored(conversation);
    return await this.#desk.change(conversation, message, text);
  }

  /** @inheritdoc */
  async takePending(conversation: string, message: string): Promise<void> {
    await this.#services.book.stored(conversation);
    await this.#desk.take(conversation, message);
  }

  /** @inheritdoc */
  sendPending(conversation: string, message: string): Promise<MessageReceipt> {
    return this.#desk.send(conversation, message);
  }

  /** @inheritdoc */
  running(): readonly string[] {
    return [...this.#lines.slots.keys()];
  }

  /** Whether a turn runs there now, or is about to. */
  isRunning(conversation: string): boolean {
    return this.#lines.slot(conversation) !== undefined;
  }

  /** What runs now; answers from memory (K-309). */
  active(): readonly ActiveTurn[] {
    const now = this.#services.now().getTime();
    return [...this.#lines.slots].flatMap(([conversation, { current, phase }]) =>
      current
        ? [{
          conversation,
          turn: current.turn,
          phase,
          age_seconds: (now - current.since) / 1000,
          message: current.message,
        }]
        : []
    );
  }

  /** How many messages wait for a slot. */
  get waiting(): number {
    return [...this.#lines.slots.values()].reduce((sum, slot) => sum + slot.line.length, 0);
  }

  /** Ends the conversation's turn and forgets what waits behind it: it is being deleted. */
  async drop(conversation: string): Promise<void> {
    await this.#lines.drop(conversation);
  }

  /** Ends every turn as interrupted and waits until each is closed. What waits stays for the next start. */
  async close(): Promise<void> {
    await this.#lines.close();
  }

  /** What was accepted into turns that ended without reading it, as one message for each of them. */
  #unread(waiting: readonly WaitingMessage[]): readonly WaitingMessage[] {
    const joined = waiting.filter(({ joins }) => joins !== null);
    const byTurn = Map.groupBy(joined, ({ conversation, joins }) => `${conversation} ${joins}`);
    const place = Math.min(0, ...waiting.map((message) => message.place)) - 1;
    return [...byTurn.values()].map((unread) => followUp(unread, { ...this.#stamp(), place }));
  }

  #stamp(): Stamp {
    const { newId, now } = this.#services;
    return { id: newId(), at: now().toISOString() };
  }
}
