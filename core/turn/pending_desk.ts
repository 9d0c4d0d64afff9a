/**
 * What a person can do with a message that waits: see it, change it, take it back, send it first.
 *
 * Invariants (tests/core/turn/pending_test.ts)
 * 1. Whether a message still waits is decided in memory and at once, so it is never both taken back and read.
 * 2. The store follows; when it cannot, the message waits as it did before.
 * 3. Every change is announced once it is stored.
 *
 * @module
 */
import type { PendingMessage } from "../log/mod.ts";
import { PERSON } from "./bus.ts";
import type { MessageReceipt } from "./contract.ts";
import { checkMessage, cleanText } from "./incoming.ts";
import { MessageGone } from "./message_gone.ts";
import { type CurrentTurn, type InLine, inLine, type Slot } from "./slot.ts";
import type { TurnLines } from "./turn_lines.ts";
import type { TurnServices } from "./turn_services.ts";
import {
  deleteWaiting,
  isShown,
  keepToken,
  pendingMessage,
  readWaiting,
  updateWaiting,
  type WaitingMessage,
} from "./waiting_store.ts";

/** A message that waits, and where. */
type Found =
  | { readonly where: "bus"; readonly slot: Slot; readonly current: CurrentTurn; readonly held: InLine }
  | { readonly where: "line"; readonly slot: Slot; readonly held: InLine }
  /** Nobody has the slot: an earlier attempt to run it failed, or the store was opened read-only. */
  | { readonly where: "store"; readonly message: WaitingMessage };

export class PendingDesk {
  readonly #services: TurnServices;
  readonly #lines: TurnLines;

  constructor(services: TurnServices, lines: TurnLines) {
    this.#services = services;
    this.#lines = lines;
  }

  /** What waits, in the order it will be read or run. */
  async list(conversation: string): Promise<readonly PendingMessage[]> {
    const slot = this.#lines.slot(conversation);
    const waiting = slot
      ? slot.shown
      : (await readWaiting(this.#services.storage.database, conversation)).filter(isShown);
    return waiting.map(pendingMessage);
  }

  /** Changes a message. Throws `MessageGone`, and `BadRequest` on a blank text. */
  async change(conversation: string, id: string, said: string): Promise<PendingMessage> {
    const found = await this.#find(conversation, id);
    const before = found.where === "store" ? found.message : found.held.message;
    checkMessage({ text: said, images: before.images, files: before.files });
    const message = { ...before, text: cleanText(said) };
    if (found.where === "bus" && !found.current.bus.replace(id, message.text)) throw new MessageGone(id);
    if (found.where !== "store") found.held.message = message;
    try {
      await this.#services.storage.database.write([updateWaiting(message)]);
    } catch (error) {
      if (found.where === "bus") found.current.bus.replace(id, before.text);
      if (found.where !== "store") found.held.message = before;
      throw error;
    }
    this.#announce(conversation);
    return pendingMessage(message);
  }

  /** Takes a message back. Throws `MessageGone`. */
  async take(conversation: string, id: string): Promise<void> {
    const found = await this.#find(conversation, id);
    const message = found.where === "store" ? found.message : found.held.message;
    if (found.where === "bus" && !found.current.bus.withdraw(id)) throw new MessageGone(id);
    if (found.where === "bus") found.current.joined.delete(id);
    if (found.where === "line") found.slot.remove(id);
    const { token, joins } = message;
    const answered = joins === null
      ? { fate: "turn", turn: id, queued: true } as const
      : { fate: "joined", turn: joins, queued: false } as const;
    try {
      // Its token stays known: the same request, coming late a second time, must not bring it back.
      const kept = token === null ? [] : [keepToken(conversation, token, answered)];
      await this.#services.storage.database.write([deleteWaiting(id), ...kept]);
    } catch (error) {
      if (found.where === "bus" && found.current.bus.restore(id)) found.current.joined.set(id, found.held);
      else if (found.where !== "store") found.slot.enqueue(found.held);
      throw error;
    }
    this.#announce(conversation);
  }

  /** Sends a message before all others. Throws `MessageGone`. */
  async send(conversation: string, id: string): Promise<MessageReceipt> {
    const { agent } = await this.#services.book.stored(conversation);
    const found = await this.#find(conversation, id);
    switch (found.where) {
      case "store":
        return await this.#lines.accept({ ...found.message, joins: null }, { isStored: true });
      case "bus": {
        const { held, slot, current } = found;
        const place = slot.firstPlace;
        if (!current.bus.putFirst(id)) throw new MessageGone(id);
        held.message = { ...held.message, place };
        await this.#services.storage.database.write([updateWaiting(held.message)]);
        this.#announce(conversation);
        return { fate: "joined", turn: current.turn };
      }
      case "line":
        return await this.#sendFromLine(found.slot, found.held, agent);
      default:
        return found satisfies never;
    }
  }

  async #sendFromLine(slot: Slot, held: InLine, agent: string): Promise<MessageReceipt> {
    const { conversation, id, token } = held.message;
    const { current } = slot;
    const joins = current && canJoin(held.message, current) ? current.turn : null;
    const moved: WaitingMessage = { ...held.message, place: slot.firstPlace, joins };
    const answered = { fate: "joined", turn: joins ?? "", queued: false } as const;
    const kept = joins !== null && token !== null ? [keepToken(conversation, token, answered)] : [];
    const durable = this.#services.storage.database.write([updateWaiting(moved), ...kept]);
    slot.remove(id);
    if (current && joins !== null) sendToBus(current, inLine(moved, durable), agent, { first: true });
    else slot.enqueue(inLine(moved, held.durable));
    try {
      await durable;
    } catch (error) {
      const isBack = joins === null || current?.bus.withdraw(id);
      if (isBack) current?.joined.delete(id), slot.remove(id), slot.enqueue(held);
      throw error;
    }
    this.#announce(conversation);
    return joins === null ? { fate: "turn", turn: id, queued: true } : { fate: "joined", turn: joins };
  }

  async #find(conversation: string, id: string): Promise<Found> {
    const slot = this.#lines.slot(conversation);
    if (!slot) {
      const message = (await readWaiting(this.#services.storage.database, conversation)).find((each) => each.id === id);
      // A slot may have been taken while the store was read.
      if (!message || !isShown(message) || this.#lines.slot(conversation)) throw new MessageGone(id);
      return { where: "store", message };
    }
    const { current } = slot;
    const joined = current?.joined.get(id);
    if (current && joined) return { where: "bus", slot, current, held: joined };
    const held = slot.find(id);
    if (!held || !isShown(held.message) || held.message.merges) throw new MessageGone(id);
    return { where: "line", slot, held };
  }

  #announce(conversation: string): void {
    if (this.#lines.slot(conversation)) return this.#lines.announce(conversation);
    this.list(conversation).then((items) => {
      if (!this.#lines.slot(conversation)) this.#services.feed.announce({ op: "pending", conversation, items });
    }, () => {});
  }
}

/** Whether the turn that runs can read the message: words alone, that belong after it and nowhere else. */
export function canJoin(message: WaitingMessage, { bus, turn }: CurrentTurn): boolean {
  const { images, files, parent, atRoot, origin, from } = message;
  const isWords = images.length === 0 && files.length === 0 && origin === "person" && from === PERSON;
  return bus.isOpen && isWords && !atRoot && (parent === null || parent === turn);
}

/** Writes a person's message on the bus of the turn that runs; `false` when it takes none any more. */
export function sendToBus(
  { bus, joined }: CurrentTurn,
  held: InLine,
  to: string,
  options: { readonly first?: boolean } = {},
): boolean {
  const { id, text, token } = held.message;
  const isTaken = bus.send({ id, text, sender: PERSON, to, ...(token === null ? {} : { token }) }, options);
  if (isTaken) joined.set(id, held);
  return isTaken;
}
