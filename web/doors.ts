/**
 * Who may come in: programs by the token, browsers by a one-time code that becomes a cookie.
 *
 * Invariants
 * 1. The token is compared, never repeated: it is in no answer, no address, no cookie and no log.
 * 2. A rotated token ends every session at the next request, and tells whoever holds sockets
 *    ("rotating the token closes sessions and sockets").
 * 3. Failures are limited per address, on loopback too; a right secret always comes in.
 *
 * Tests: tests/web/authentication_test.ts and tests/web/login_test.ts.
 *
 * @module
 */
import { cookiesOf, setCookie } from "./cookies.ts";
import { FailureLimit } from "./failure_limit.ts";
import { type LoginCode, LoginCodes } from "./login_codes.ts";
import { sameSecret } from "./secret.ts";
import { SESSION_SECONDS, Sessions } from "./sessions.ts";
import type { Auth } from "./state.ts";
import { TokenFile } from "./token_file.ts";

/** Wrong tokens and cookies an address may show in a minute. */
const WRONG_TOKENS_PER_MINUTE = 10;
/** Wrong codes an address may show in a minute. */
const WRONG_CODES_PER_MINUTE = 5;

/** What a request proved to be. `session` is the browser session's id. */
export type Passage =
  | { readonly passed: true; readonly auth: Auth; readonly session: string | null }
  | { readonly passed: false; readonly reason: "missing" | "wrong" }
  | { readonly passed: false; readonly reason: "limited"; readonly waitSeconds: number };

/** What became of a one-time code. `cookie` is a `Set-Cookie` value. */
export type Redemption =
  | { readonly outcome: "in"; readonly cookie: string }
  | { readonly outcome: "wrong" }
  | { readonly outcome: "limited"; readonly waitSeconds: number };

/** What the doors are made with. */
export interface DoorsOptions {
  readonly dataDir: string;
  readonly auth: "token" | "none";
  /** Makes the cookie's name our own among several on one machine: cookies do not tell ports apart. */
  readonly port: number;
  /** Empty, or a path that starts with `/` and does not end with one. */
  readonly basePath: string;
  /** Whether the person's side of the connection is TLS. */
  readonly isSecure: (request: Request) => boolean;
  readonly now?: () => number;
}

/** The one place that says who may come in. */
export class Doors {
  readonly cookieName: string;
  readonly #options: DoorsOptions;
  readonly #token: TokenFile;
  readonly #sessions: Sessions;
  readonly #codes: LoginCodes;
  readonly #wrongTokens: FailureLimit;
  readonly #wrongCodes: FailureLimit;
  readonly #signOutListeners = new Set<(session: string) => void>();

  private constructor(options: DoorsOptions, token: TokenFile, sessions: Sessions) {
    const now = options.now ?? Date.now;
    this.cookieName = `malama_${options.port}`;
    this.#options = options;
    this.#token = token;
    this.#sessions = sessions;
    this.#codes = new LoginCodes(now);
    this.#wrongTokens = new FailureLimit(WRONG_TOKENS_PER_MINUTE, 60_000, now);
    this.#wrongCodes = new FailureLimit(WRONG_CODES_PER_MINUTE, 60_000, now);
  }

  /** Reads or makes what is kept in the data folder. Throws `BadTokenFile`. */
  static async open(options: DoorsOptions): Promise<Doors> {
    const token = await TokenFile.open(options.dataDir);
    return new Doors(options, token, await Sessions.open(options.dataDir, () => token.current, options.now));
  }

  /** Whether a code is needed at all: `[web] auth`. */
  get needsLogin(): boolean {
    return this.#options.auth === "token";
  }

  /** Lets a request in by its `Authorization` header or its cookie. */
  async admit(request: Request, address: string): Promise<Passage> {
    if (this.#options.auth === "none") return { passed: true, auth: "none", session: null };
    await this.#token.refresh();
    const bearer = /^bearer\s+(.*)$/i.exec(request.headers.get("authorization") ?? "")?.[1];
    if (bearer !== undefined) {
      if (await sameSecret(bearer.trim(), this.#token.current)) return { passed: true, auth: "bearer", session: null };
      return this.#refuse(address);
    }
    const cookie = cookiesOf(request.headers).get(this.cookieName);
    if (!cookie) return { passed: false, reason: "missing" };
    const session = await this.#sessions.check(cookie);
    return session ? { passed: true, auth: "cookie", session } : this.#refuse(address);
  }

  #refuse(address: string): Passage {
    const waitSeconds = this.#wrongTokens.fail(address);
    return waitSeconds > 0 ? { passed: false, reason: "limited", waitSeconds } : { passed: false, reason: "wrong" };
  }

  /** Makes a one-time code. */
  createCode(): Promise<LoginCode> {
    return this.#codes.create();
  }

  /** Trades a code for a session. */
  async redeemCode(code: string, request: Request, address: string): Promise<Redemption> {
    await this.#token.refresh();
    if (await this.#codes.redeem(code)) {
      return { outcome: "in", cookie: this.#cookie(await this.#sessions.create(), SESSION_SECONDS, request) };
    }
    const waitSeconds = this.#wrongCodes.fail(address);
    return waitSeconds > 0 ? { outcome: "limited", waitSeconds } : { outcome: "wrong" };
  }

  /** Ends the session of a request, its sockets included; gives the `Set-Cookie` value that removes the cookie. */
  async signOut(request: Request): Promise<string> {
    const value = cookiesOf(request.headers).get(this.cookieName) ?? "";
    const session = await this.#sessions.check(value);
    await this.#sessions.end(value);
    if (session) { for (const listener of this.#signOutListeners) listener(session); }
    return this.#cookie("", 0, request);
  }

  /** Looks whether the token file changed. Called from a timer, so that open sockets end soon after a rotation. */
  lookAgain(): Promise<boolean> {
    return this.#token.refresh();
  }

  /** Calls `listener` after the token was rotated. */
  onRotation(listener: () => void): void {
    this.#token.onRotation(listener);
  }

  /** Calls `listener` with the id of each session that is signed out. */
  onSignOut(listener: (session: string) => void): void {
    this.#signOutListeners.add(listener);
  }

  #cookie(value: string, maxAge: number, request: Request): string {
    const { basePath, isSecure } = this.#options;
    return setCookie(this.cookieName, value, { path: basePath || "/", maxAge, secure: isSecure(request) });
  }
}
