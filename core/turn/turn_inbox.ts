/**
 * The bus as a run reads it: takes what is there, waits until it is durable, and records it as delivered.
 *
 * Invariant: a message is delivered in the same transaction that ends its waiting; whatever fails, it is in one of the two
 * (tests/core/turn/turn_inbox_test.ts).
 *
 * @module
 */
import type { Inbox } from "../agent/mod.ts";
import { type BusReader, type Drained, PERSON } from "./bus.ts";
import type { CurrentTurn } from "./slot.ts";
import { deleteWaiting } from "./waiting_store.ts";

/** The inbox of the run that has this reader. `onDelivered` is called once what was there is delivered. */
export function turnInbox(
  reader: BusReader,
  { bus, joined }: Pick<CurrentTurn, "bus" | "joined">,
  onDelivered: () => void,
): Inbox {
  return {
    get waits() {
      return reader.waits;
    },
    async deliver(write) {
      const drained = reader.drain();
      const isMixed = new Set(drained.map(({ sender }) => sender === PERSON)).size > 1;
      let delivered = 0;
      try {
        for (const message of drained) {
          const held = joined.get(message.id);
          // One that could not be stored was refused to its sender.
          const isStored = await (held?.durable.then(() => true, () => false) ?? true);
          if (isStored) {
            await write(inboxData(message, isMixed), held ? [deleteWaiting(message.id)] : []);
            delivered++;
          }
          joined.delete(message.id);
        }
      } catch (error) {
        for (const { id } of drained) if (joined.has(id)) bus.giveBack(id);
        throw error;
      }
      if (delivered > 0) onDelivered();
      return delivered;
    },
  };
}

function inboxData({ text, sender, to, token, predates }: Drained, mixed: boolean) {
  return {
    text,
    from: sender,
    to,
    ...(token === undefined ? {} : { token }),
    ...(mixed ? { mixed } : {}),
    ...(predates ? { predates } : {}),
  };
}
