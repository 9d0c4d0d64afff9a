import type { Clock } from "../../web/clock.ts";

/** A clock that moves when it is told to. */
export class FakeClock implements Clock {
  #now = 0;
  #timers: { due: number; action: () => void }[] = [];

  now(): number {
    return this.#now;
  }

  after(ms: number, action: () => void): () => void {
    const timer = { due: this.#now + ms, action };
    this.#timers.push(timer);
    return () => this.#timers = this.#timers.filter((each) => each !== timer);
  }

  /** Lets time pass, running what falls due, in order. */
  pass(ms: number): void {
    const end = this.#now + ms;
    for (;;) {
      const next = this.#timers.filter(({ due }) => due <= end).sort((a, b) => a.due - b.due)[0];
      if (!next) break;
      this.#now = Math.max(this.#now, next.due);
      this.#timers = this.#timers.filter((each) => each !== next);
      next.action();
    }
    this.#now = end;
  }

  get waiting(): number {
    return this.#timers.length;
  }
}
