/**
 * Things that happen, waited for one at a time.
 *
 * @module
 */

/** What is pushed comes out in order; after `end()` and the last of them, iteration stops. One reader at a time. */
export class EventQueue<T> implements AsyncIterable<T> {
  readonly #waiting: T[] = [];
  #ended = false;
  #wake: (() => void) | null = null;

  push(event: T): void {
    if (this.#ended) return;
    this.#waiting.push(event);
    this.#wake?.();
  }

  /** Nothing pushed from now on counts. */
  end(): void {
    this.#ended = true;
    this.#wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    while (true) {
      while (this.#waiting.length > 0) yield this.#waiting.shift()!;
      if (this.#ended) return;
      await new Promise<void>((resolve) => this.#wake = resolve);
      this.#wake = null;
    }
  }
}
