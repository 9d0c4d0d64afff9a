/**
 * Lets a fake provider's answer come as far as a test says.
 *
 * @module
 */
export class Valve {
  #upTo = 0;
  #turned = Promise.withResolvers<void>();

  /** For a reply's `gate`. */
  readonly gate = async (frame: number): Promise<void> => {
    while (frame >= this.#upTo) await this.#turned.promise;
  };

  /** Lets that many frames through, counted from the first. */
  openTo(frames: number): void {
    this.#upTo = frames;
    const { resolve } = this.#turned;
    this.#turned = Promise.withResolvers<void>();
    resolve();
  }

  /** Lets the rest through. */
  open(): void {
    this.openTo(Infinity);
  }
}
