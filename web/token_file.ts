/**
 * The access token: `<data>/token`, made on first start, read again when the file changes.
 *
 * Invariants
 * 1. The token is 256 random bits and its file is readable by its owner alone ("makes a token of 256 bits with mode 0600").
 * 2. A changed or removed file is a rotation: listeners are told once, and the old token is refused from then on
 *    ("refresh() tells of a rotated token", "makes a new token when the file is gone").
 * 3. A file that is being written (empty or cut short) changes nothing yet ("keeps the token while the file is empty").
 *
 * All in tests/web/token_file_test.ts.
 *
 * @module
 */
import { join } from "node:path";
import { randomSecret } from "./secret.ts";

const TOKEN_BYTES = 32;
const SHORTEST = 32;

/** The token file holds something that cannot be a token, or can be neither read nor made. */
export class BadTokenFile extends Error {
  override readonly name = "BadTokenFile";
  /** `cause` is what the file system said, where it was not the content. */
  constructor(readonly file: string, options?: { readonly cause: unknown }) {
    const { cause } = options ?? {};
    super(
      cause === undefined
        ? `"${file}" holds no usable token: remove it, and a new one is made`
        : `"${file}" can be neither read nor made (${cause instanceof Error ? cause.message : String(cause)}): ` +
          "put its folder right, then start Malama again",
      options,
    );
  }
}

/** The token of one data folder, as it is on disk. */
export class TokenFile {
  readonly file: string;
  #token: string;
  #stamp: string;
  #refreshing: Promise<boolean> | null = null;
  readonly #listeners = new Set<() => void>();

  private constructor(file: string, token: string, stamp: string) {
    this.file = file;
    this.#token = token;
    this.#stamp = stamp;
  }

  /** Reads `<dataDir>/token`, or makes it. Throws `BadTokenFile`. */
  static async open(dataDir: string): Promise<TokenFile> {
    const file = join(dataDir, "token");
    await Deno.mkdir(dataDir, { recursive: true });
    const token = await makeToken(file) ?? await readToken(file);
    if (!token) throw new BadTokenFile(file);
    return new TokenFile(file, token, await stampOf(file));
  }

  /** The token as it was when last read. */
  get current(): string {
    return this.#token;
  }

  /** Calls `listener` after each rotation; the function it gives back ends that. */
  onRotation(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Looks whether the file changed (one `stat`) and reads it again if so. Resolves to `true` after a rotation. */
  refresh(): Promise<boolean> {
    this.#refreshing ??= this.#lookAgain().finally(() => this.#refreshing = null);
    return this.#refreshing;
  }

  async #lookAgain(): Promise<boolean> {
    const stamp = await stampOf(this.file);
    if (stamp === this.#stamp && stamp !== UNSETTLED) return false;
    const token = stamp === GONE
      ? await makeToken(this.file) ?? await readToken(this.file)
      : await readToken(this.file);
    if (!token) return false;
    this.#stamp = stamp === GONE ? await stampOf(this.file) : stamp;
    if (token === this.#token) return false;
    this.#token = token;
    for (const listener of this.#listeners) listener();
    return true;
  }
}

const GONE = "gone";
/** Written so lately that the next write could carry the same stamp: the file is read again next time. */
const UNSETTLED = "unsettled";
const SETTLED_MS = 100;

/** What tells one state of the file from another without reading it. */
async function stampOf(file: string): Promise<string> {
  try {
    const { mtime, size, ino } = await Deno.stat(file);
    const written = mtime?.getTime() ?? 0;
    return Math.abs(Date.now() - written) < SETTLED_MS ? UNSETTLED : `${written} ${size} ${ino}`;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return GONE;
    throw new BadTokenFile(file, { cause: error });
  }
}

/** Makes the file, or gives `null` when there is one already. */
async function makeToken(file: string): Promise<string | null> {
  const token = randomSecret(TOKEN_BYTES);
  try {
    await Deno.writeTextFile(file, `${token}\n`, { createNew: true, mode: 0o600 });
    return token;
  } catch (error) {
    if (error instanceof Deno.errors.AlreadyExists) return null;
    throw new BadTokenFile(file, { cause: error });
  }
}

/** The token in the file, or `null` when what is there is no token. Closes the file to others if it stood open. */
async function readToken(file: string): Promise<string | null> {
  let text: string;
  try {
    text = (await Deno.readTextFile(file)).trim();
    if (Deno.build.os !== "windows") {
      const { mode } = await Deno.stat(file);
      if (mode !== null && (mode & 0o077) !== 0) await Deno.chmod(file, 0o600);
    }
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return null;
    throw new BadTokenFile(file, { cause: error });
  }
  return text.length >= SHORTEST && /^[\x21-\x7e]+$/.test(text) ? text : null;
}
