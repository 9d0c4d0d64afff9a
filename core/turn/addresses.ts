/**
 * Who can be written to in a turn: addresses, and the selectors that cover them (K-119, K-120).
 *
 * An entry agent's address is its name; a worker's is its label with a number, counted per label: `researcher#1`.
 *
 * @module
 */

/** The selector that covers every reader, also those without an address. */
export const EVERYONE = "everyone";

/** How the library names workers that were composed; it is no part of a label. */
const DECORATION = /^subagent-/;

/** Whether a selector covers an address; a reader without one hears `everyone` alone. */
export function matches(selector: string, address: string | null): boolean {
  if (selector === EVERYONE) return true;
  return address !== null && (selector === address || selector === labelOf(address));
}

/** An address without its number. */
export function labelOf(address: string): string {
  return address.replace(/#\d+$/, "");
}

/** Gives out addresses. None is ever taken off the list: nothing says that a run has ended. */
export class Addresses {
  readonly #all: string[] = [];
  readonly #counts = new Map<string, number>();

  /** Every address there is, in the order they were opened. */
  get all(): readonly string[] {
    return this.#all;
  }

  /** Takes in an entry agent's own name; the second time it is the same. */
  enter(name: string): void {
    if (!this.#all.includes(name)) this.#all.push(name);
  }

  /** A new address for a worker of that label. */
  mint(label: string): string {
    const plain = label.replace(DECORATION, "");
    const count = (this.#counts.get(plain) ?? 0) + 1;
    this.#counts.set(plain, count);
    const address = `${plain}#${count}`;
    this.#all.push(address);
    return address;
  }
}
