/**
 * One-time login codes: what a browser trades for a cookie.
 *
 * Invariants
 * 1. A code opens the door once, within ten minutes of being made ("a code works once", "a code ends after ten minutes").
 * 2. Only digests are held, in memory alone: a restart ends every code ("codes are held as digests").
 *
 * Both in tests/web/login_codes_test.ts.
 *
 * @module
 */
import { digest } from "./secret.ts";

/** How long a code can be used, in milliseconds. */
export const CODE_LIFETIME_MS = 10 * 60_000;

/** Letters and digits that cannot be taken for one another when typed. 32 of them: five bits each. */
const ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz0";
const LENGTH = 16;
const MOST_OUTSTANDING = 100;

/** A code that was made, and when it ends. */
export interface LoginCode {
  readonly code: string;
  readonly expiresAt: Date;
}

/** The codes of one running server that have not been used. */
export class LoginCodes {
  readonly #now: () => number;
  readonly #expiries = new Map<string, number>();

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** Makes a code of 80 random bits, written in groups of four so that it can be typed. */
  async create(): Promise<LoginCode> {
    this.#forgetExpired();
    // A program that asks for codes in a loop ends its own oldest ones; the map stays small.
    const oldest = this.#expiries.keys().next().value;
    if (this.#expiries.size >= MOST_OUTSTANDING && oldest) this.#expiries.delete(oldest);
    const letters = [...crypto.getRandomValues(new Uint8Array(LENGTH))].map((byte) => ALPHABET[byte % 32]);
    const code = letters.join("").replace(/(.{4})(?=.)/g, "$1-");
    const expires = this.#now() + CODE_LIFETIME_MS;
    this.#expiries.set(await digest(plain(code)), expires);
    return { code, expiresAt: new Date(expires) };
  }

  /** Uses the code up. `true` once for each code, in its lifetime; capitals and missing hyphens do not matter. */
  async redeem(code: string): Promise<boolean> {
    if (code.length > 100) return false;
    const key = await digest(plain(code));
    const expires = this.#expiries.get(key);
    this.#expiries.delete(key);
    return expires !== undefined && this.#now() < expires;
  }

  #forgetExpired(): void {
    for (const [key, expires] of this.#expiries) if (expires <= this.#now()) this.#expiries.delete(key);
  }
}

function plain(code: string): string {
  return code.toLowerCase().replaceAll(/[\s-]/g, "");
}
