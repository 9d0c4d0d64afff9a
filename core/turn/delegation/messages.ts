/**
 * Messages between the runs of one turn, over its bus (K-132…K-134).
 *
 * Invariant: a message is refused or accepted at once, and an accepted one is on the bus
 * (tests/core/turn/delegation/messages_test.ts).
 *
 * @module
 */
import { matches } from "../addresses.ts";
import { EVERYONE, type MessageBus } from "../bus.ts";
import type { Messages } from "./contract.ts";

/** The messages of the run that has this address. */
export function messagesOf(bus: MessageBus, address: string | null, newId: () => string): Messages {
  return {
    address,
    roster: () => bus.roster,
    send(to, text) {
      const selector = to.trim();
      if (address === null) return { status: "refused", why: "no address" };
      if (text.trim() === "") return { status: "refused", why: "blank" };
      const covers = bus.roster.filter((each) => matches(selector, each));
      if (covers.length === 0 && selector !== EVERYONE) {
        return { status: "refused", why: "nobody", to: selector, roster: bus.roster };
      }
      const isSent = bus.send({ id: newId(), text, sender: address, to: selector });
      return isSent ? { status: "accepted", to: selector, covers } : { status: "refused", why: "over" };
    },
  };
}
