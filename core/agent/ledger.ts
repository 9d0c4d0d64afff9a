/**
 * What a turn and the runs in it may use, and have used. All runs of a turn book their calls here, so that a budget holds for
 * all of them together.
 *
 * Invariants (tests/core/agent/ledger_test.ts)
 * 1. No call begins that would go past a budget, as far as its size can be known before: it counts what other calls that are
 *    under way will use at least (casebook, "Runaway loop"). So a call is booked in the moment it is allowed, before
 *    anything is waited for (run_test.ts beside it, "two runs that ask at once").
 * 2. A budget that was reached once stays so: after the first call it refused it refuses all.
 * 3. A call counts in its run and in everything the run is part of.
 *
 * @module
 */
import type { CountedCall } from "../log/mod.ts";

/** How much may be used; what is absent has no limit. Cost is in US dollars. */
export interface Budget {
  readonly tokens?: number;
  readonly cost?: number;
}

/** What a call will use at least. */
export interface Need {
  readonly tokens: number;
  readonly cost: number;
}

/** A call that is under way. */
export interface Booking extends Disposable {
  /** Counts what it used. What is disposed of before gives its room back: the call was not made after all. */
  settle(call: CountedCall): void;
}

export class Ledger {
  readonly #budget: Budget;
  readonly #whose: string;
  readonly #outer: Ledger | undefined;
  readonly #calls: CountedCall[] = [];
  readonly #underWay = new Set<Need>();
  #refusal: string | undefined;

  /** @param whose Whose budget it is, as the sentence of a refusal names it: `this turn`. */
  constructor(budget: Budget, whose: string, outer?: Ledger) {
    this.#budget = budget;
    this.#whose = whose;
    this.#outer = outer;
  }

  /** Every call that was made under it, in the order they ended. */
  get calls(): readonly CountedCall[] {
    return this.#calls;
  }

  /** Whether nothing was booked here yet, nor in what it is part of: then a call is allowed, however large it is. */
  get isFresh(): boolean {
    return this.#isEmpty && (this.#outer?.isFresh ?? true);
  }

  /** Why a call of this size may not be made, a sentence; `undefined` while it may. */
  refusal(need: Need): string | undefined {
    this.#refusal ??= this.#outer?.refusal(need) ?? this.#ownRefusal(need);
    return this.#refusal;
  }

  /** Books a call that was just allowed. */
  book(need: Need): Booking {
    // Of its own: two calls may be given one need.
    const coming = { ...need };
    this.#underWay.add(coming);
    const outer = this.#outer?.book(need);
    return {
      settle: (call) => {
        this.#underWay.delete(coming);
        this.#calls.push(call);
        outer?.settle(call);
      },
      [Symbol.dispose]: () => {
        this.#underWay.delete(coming);
        outer?.[Symbol.dispose]();
      },
    };
  }

  get #isEmpty(): boolean {
    return this.#calls.length === 0 && this.#underWay.size === 0;
  }

  #ownRefusal(need: Need): string | undefined {
    if (this.#isEmpty) return undefined;
    const { tokens, cost } = this.#budget;
    const used = this.#used();
    const coming = [...this.#underWay, need];
    const more = (of: keyof Need) => coming.reduce((sum, each) => sum + each[of], 0);
    if (tokens !== undefined && used.tokens + more("tokens") > tokens) {
      return `Stopped before the next model call: ${this.#whose} has used ${used.tokens} tokens of its budget of ${tokens}`;
    }
    if (cost !== undefined && used.cost + more("cost") > cost) {
      return `Stopped before the next model call: ${this.#whose} has cost $${
        used.cost.toFixed(4)
      } of its budget of $${cost}`;
    }
    return undefined;
  }

  #used(): Need {
    return this.#calls.reduce((sum, { usage, cost = 0 }) => ({
      tokens: sum.tokens + (usage ? usage.input_tokens + usage.output_tokens : 0),
      cost: sum.cost + cost,
    }), { tokens: 0, cost: 0 });
  }
}
