/**
 * The lines of all conversations: who has the slot, what runs in it, and what comes after.
 *
 * Invariants (tests/core/turn/runner_test.ts and fates_test.ts)
 * 1. At most one turn runs per conversation; conversations run side by side.
 * 2. What a turn accepted and did not read runs right after it, before all that waits in line (K-107).
 * 3. Whatever happens, a turn ends with a status, its usage, and its partial text (K-094).
 *
 * @module
 */
import { ToolLock } from "../agent/mod.ts";
import type { StoredConversation } from "../conversation/mod.ts";
import { errorText } from "../log/mod.ts";
import { StorageClosed } from "../storage/mod.ts";
import { ContextCache } from "./context_cache.ts";
import type { MessageReceipt } from "./contract.ts";
import { followUp } from "./follow_up.ts";
import { LateClosing } from "./late_closing.ts";
import { type CurrentTurn, type InLine, inLine, Slot } from "./slot.ts";
import { beginTurn } from "./turn_begin.ts";
import { finishTurn } from "./turn_end.ts";
import { runTurn } from "./turn_run.ts";
import type { TurnServices } from "./turn_services.ts";
import { deleteWaiting, insertWaiting, pendingMessage, type WaitingMessage } from "./waiting_store.ts";

/** How a message is accepted. */
export interface Acceptance {
  /** Set when it is on disk already. */
  readonly isStored?: boolean;
  /** The conversation as it stands: nothing was written to it since it was read, and nothing runs there. */
  readonly known?: StoredConversation;
}

export class TurnLines {
  readonly #services: TurnServices;
  readonly #contexts: ContextCache;
  readonly #lock = new ToolLock();
  readonly #slots = new Map<string, Slot>();
  readonly #holds = new Set<Promise<void>>();
  /** Turns whose end could not be stored. */
  readonly late: LateClosing;
  #isClosed = false;
  #taken = 0;

  constructor(services: TurnServices) {
    this.#services = services;
    const { log, feed, now, storage, source } = services;
    this.#contexts = new ContextCache(log, source.config.assistant.agentCacheCap);
    this.late = new LateClosing({ database: storage.database, log, feed, now });
  }

  /** The slot of a conversation, while somebody has it. */
  slot(conversation: string): Slot | undefined {
    return this.#slots.get(conversation);
  }

  /** Every slot that somebody has. */
  get slots(): ReadonlyMap<string, Slot> {
    return this.#slots;
  }

  /** How many turns have begun, over all conversations: while it stays the same and nobody has a slot, none is written. */
  get taken(): number {
    return this.#taken;
  }

  /** Gives the message the slot, or a place in line behind whoever holds it. Throws what storing it throws. */
  async accept(message: WaitingMessage, { isStored = false, known }: Acceptance = {}): Promise<MessageReceipt> {
    if (this.#isClosed) throw new StorageClosed();
    const held = this.#slots.get(message.conversation);
    if (held) {
      const durable = isStored ? Promise.resolve() : this.#services.storage.database.write([insertWaiting(message)]);
      held.enqueue(inLine(message, durable));
      await durable;
      this.announce(message.conversation);
      return { fate: "turn", turn: message.id, queued: true };
    }
    const slot = new Slot();
    // One that is on disk already was told of before.
    slot.told = isStored ? 1 : 0;
    this.#slots.set(message.conversation, slot);
    const started = Promise.withResolvers<number>();
    const hold = this.#hold(slot, message, started, known);
    this.#holds.add(hold);
    hold.finally(() => this.#holds.delete(hold));
    return { fate: "turn", turn: message.id, seq: await started.promise };
  }

  /** Tells those who watch the conversation what waits there, unless they know that nothing does. */
  announce(conversation: string): void {
    const slot = this.#slots.get(conversation);
    const items = (slot?.shown ?? []).map(pendingMessage);
    if (!slot || items.length === 0 && slot.told === 0) return;
    slot.told = items.length;
    this.#services.feed.announce({ op: "pending", conversation, items });
  }

  /** Ends the conversation's turn and forgets what waits behind it. */
  async drop(conversation: string): Promise<void> {
    const slot = this.#slots.get(conversation);
    const dropped = slot?.clear() ?? [];
    if (slot?.current) {
      const over = slot.over;
      slot.end("deletion");
      await over;
    }
    const { database } = this.#services.storage;
    if (dropped.length > 0) await database.write(dropped.map(({ message }) => deleteWaiting(message.id)));
  }

  /** Ends every turn as interrupted and waits until each is closed. What waits stays for the next start. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const slot of this.#slots.values()) {
      slot.clear();
      slot.end("shutdown");
    }
    await Promise.allSettled(this.#holds);
    this.late.close();
  }

  /** Runs the message, and then whatever has come into line meanwhile. */
  async #hold(
    slot: Slot,
    first: WaitingMessage,
    started: PromiseWithResolvers<number>,
    known: StoredConversation | undefined,
  ): Promise<void> {
    const { book, log } = this.#services;
    const { conversation } = first;
    try {
      let facts = known;
      for (let message: WaitingMessage | undefined = first; message; message = await nextInLine(slot)) {
        await this.#take(slot, message, started, facts);
        facts = undefined;
        if (slot.endedBy === "shutdown" || slot.endedBy === "deletion") break;
      }
    } finally {
      this.#slots.delete(conversation);
      log.release(conversation);
      await book.announce(conversation).catch(() => {});
    }
  }

  async #take(
    slot: Slot,
    message: WaitingMessage,
    started: PromiseWithResolvers<number>,
    known: StoredConversation | undefined,
  ): Promise<void> {
    const { report, now } = this.#services;
    const { conversation } = message;
    this.#taken++;
    const current = slot.begin(message.id, message.text.slice(0, 120), now().getTime());
    try {
      await this.late.settle(conversation);
      const { turn, said } = await beginTurn(this.#services, message, known);
      started.resolve(said.seq);
      slot.begun();
      this.announce(conversation);
      const onRead = () => this.announce(conversation);
      const ran = await runTurn(
        this.#services,
        { turn, said, slot, current, lock: this.#lock, onRead },
        this.#contexts,
      );
      await finishTurn(this.#services, this.late, { turn, slot, current, ...ran });
    } catch (error) {
      slot.begun();
      started.promise.catch(() => {});
      started.reject(error);
      report("ERROR", "turns", `a turn could not be stored: ${errorText(error)}`);
    } finally {
      this.#leave(slot, current, conversation);
    }
  }

  /** Puts what was left over before all that waits, and frees the slot for the next. */
  #leave(slot: Slot, current: CurrentTurn, conversation: string): void {
    const { newId, now } = this.#services;
    // Closed already, unless the turn could not be begun.
    const left = current.bus.close().unread.flatMap(({ id }) => current.joined.get(id) ?? []);
    if (left.length > 0) slot.leftOver = left.filter(({ isStored }) => isStored);
    if (slot.leftOver.length > 0) {
      const facts = { id: newId(), at: now().toISOString(), place: slot.firstPlace };
      const message = followUp(slot.leftOver.map((held) => held.message), facts);
      slot.enqueue(inLine(message, Promise.resolve()));
    }
    this.announce(conversation);
    slot.turnOver();
  }
}

/** The next message in line that is durable; one that could not be stored was refused to its sender. */
async function nextInLine(slot: Slot): Promise<WaitingMessage | undefined> {
  for (let next: InLine | undefined = slot.next(); next; next = slot.next()) {
    const isStored = await next.durable.then(() => true, () => false);
    if (isStored) return next.message;
  }
  return undefined;
}
