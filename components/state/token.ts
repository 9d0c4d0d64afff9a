/**
 * Tokens that make a message idempotent: random for the page, counted from there (K-276).
 *
 * @module
 */

export class TokenMaker {
  readonly #prefix: string;
  #count = 0;

  constructor(random: (bytes: Uint8Array<ArrayBuffer>) => Uint8Array = (bytes) => crypto.getRandomValues(bytes)) {
    const bytes = random(new Uint8Array(12));
    this.#prefix = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  }

  next(): string {
    this.#count++;
    return `${this.#prefix}-${this.#count}`;
  }
}
