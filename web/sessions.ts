/**
 * Browser sessions, kept in the cookie itself: an id, when it ends, and a code made with the access token.
 *
 * Invariants
 * 1. A session ends with the token it was made under: rotating it needs no list of sessions ("rotation ends a session").
 * 2. Signing out ends that session on the server too, also across a restart ("end() survives a restart").
 *
 * Both in tests/web/sessions_test.ts.
 *
 * @module
 */
import { join } from "node:path";
import { authenticationCode, randomSecret, sameSecret } from "./secret.ts";

/** How long a session lasts, in seconds: 90 days. */
export const SESSION_SECONDS = 90 * 24 * 3600;

/** Makes and checks the cookies of one data folder. */
export class Sessions {
  readonly #file: string;
  readonly #token: () => string;
  readonly #now: () => number;
  /** Ids of sessions that were signed out, with when they would have ended (seconds). */
  readonly #ended: Map<string, number>;

  private constructor(file: string, token: () => string, now: () => number, ended: Map<string, number>) {
    this.#file = file;
    this.#token = token;
    this.#now = now;
    this.#ended = ended;
  }

  /** `token` gives the access token of the moment. */
  static async open(dataDir: string, token: () => string, now: () => number = Date.now): Promise<Sessions> {
    const file = join(dataDir, "signed_out");
    return new Sessions(file, token, now, await readEnded(file));
  }

  /** The cookie value of a new session. */
  async create(): Promise<string> {
    const claim = `${randomSecret(16)}.${Math.floor(this.#now() / 1000) + SESSION_SECONDS}`;
    return `${claim}.${await this.#sign(claim)}`;
  }

  /** The session's id, or `null` when the value is not one of ours, has ended, or was signed out. */
  async check(value: string): Promise<string | null> {
    const [id, ends, code, ...rest] = value.split(".");
    if (!id || !ends || !code || rest.length > 0) return null;
    if (!await sameSecret(code, await this.#sign(`${id}.${ends}`))) return null;
    return Number(ends) * 1000 > this.#now() && !this.#ended.has(id) ? id : null;
  }

  /** Signs a session out for good. */
  async end(value: string): Promise<void> {
    const id = await this.check(value);
    if (!id) return;
    for (const [old, ends] of this.#ended) if (ends * 1000 <= this.#now()) this.#ended.delete(old);
    this.#ended.set(id, Number(value.split(".")[1]));
    const lines = [...this.#ended].map(([old, ends]) => `${old} ${ends}\n`).join("");
    await Deno.writeTextFile(this.#file, lines, { mode: 0o600 });
  }

  #sign(claim: string): Promise<string> {
    return authenticationCode(this.#token(), `malama session ${claim}`);
  }
}

async function readEnded(file: string): Promise<Map<string, number>> {
  try {
    const lines = (await Deno.readTextFile(file)).split("\n").map((line) => line.split(" "));
    return new Map(lines.flatMap(([id, ends]) => id && ends ? [[id, Number(ends)]] : []));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return new Map();
    throw error;
  }
}
