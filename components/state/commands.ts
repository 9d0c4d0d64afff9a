/**
 * What the page can be told to do from elsewhere: the islands that know how offer it, keys and the palette ask for it.
 *
 * Invariant: what is offered last answers; when it is taken back, the offer before it answers again
 * (tests/components/state/commands_test.ts).
 *
 * @module
 */
import { type ReadonlySignal, signal } from "@preact/signals";

/** What can be asked for by name. */
export type CommandName = "rename" | "side" | "theme";

interface Offer {
  readonly name: CommandName;
  readonly run: () => void;
}

export class Commands {
  readonly #offers = signal<readonly Offer[]>([]);

  /** The offers as they stand, for what draws them. */
  get offers(): ReadonlySignal<readonly { readonly name: CommandName }[]> {
    return this.#offers;
  }

  /** Says how something is done, until the function it gives back is called. */
  offer(name: CommandName, run: () => void): () => void {
    const offer = { name, run };
    this.#offers.value = [...this.#offers.value, offer];
    return () => {
      this.#offers.value = this.#offers.value.filter((held) => held !== offer);
    };
  }

  has(name: CommandName): boolean {
    return this.#offers.value.some((offer) => offer.name === name);
  }

  /** Does it, and says whether anything on the page knew how. */
  run(name: CommandName): boolean {
    const offer = this.#offers.value.findLast((held) => held.name === name);
    offer?.run();
    return offer !== undefined;
  }
}
