/**
 * The shell: the files a page needs to open, and a hash that changes when any of them does. A tab that holds another hash
 * reloads; a service worker that holds another is replaced.
 *
 * @module
 */
import { bundleUrl, type Snapshot } from "fresh/dev";

const STYLE_SHEET = "/malama.css";

/** A built file larger than this is loaded when it is needed and not kept ahead: formulas. In characters. */
const LARGE = 100_000;

export class Shell {
  readonly #snapshot: Pick<Snapshot, "bundle" | "staticHash">;
  readonly #basePath: string;

  constructor(snapshot: Pick<Snapshot, "bundle" | "staticHash">, basePath: string) {
    this.#snapshot = snapshot;
    this.#basePath = basePath;
  }

  /** A hash of the style sheet alone. */
  get styleHash(): string {
    return this.#snapshot.staticHash(STYLE_SHEET) ?? "";
  }

  /** A hash of all that is shipped to a browser. Rejects when the scripts cannot be built. */
  async hash(): Promise<string> {
    return `${(await this.#snapshot.bundle())?.hash ?? ""}${this.styleHash}`;
  }

  /** The addresses of the scripts, base path included. Rejects when they cannot be built. */
  async scripts(): Promise<readonly string[]> {
    const bundle = await this.#snapshot.bundle();
    if (bundle === null) return [];
    const kept = [...bundle.files].filter(([, text]) => text.length <= LARGE);
    return kept.map(([file]) => bundleUrl(bundle, this.#basePath, file));
  }
}
