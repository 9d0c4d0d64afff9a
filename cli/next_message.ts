/**
 * What goes out with the next message besides its words: files that were attached, and the effort that was asked for.
 *
 * @module
 */
import { basename, isAbsolute, join } from "node:path";
import type { FileRef, ImageRef, Thinking } from "../core/log/mod.ts";
import { withoutControls } from "./control_filter.ts";
import { type Wire, WireError } from "./wire.ts";

/** A file that the server holds for the next message. */
export type Attached = (ImageRef & { readonly kind: "image" }) | (FileRef & { readonly kind: "file" });

/** What a message carries besides its text and token. */
export interface MessageExtras {
  readonly images?: readonly ImageRef[];
  readonly files?: readonly FileRef[];
  readonly thinking?: Thinking;
}

const EFFORTS: Readonly<Record<string, Thinking | null>> = {
  default: null,
  off: false,
  low: "low",
  medium: "medium",
  high: "high",
};

/** The words `/think` takes, in order. */
export const EFFORT_WORDS: readonly string[] = Object.keys(EFFORTS);

export class NextMessage {
  readonly #wire: Wire;
  #attached: Attached[] = [];
  #effort = "default";

  constructor(wire: Wire) {
    this.#wire = wire;
  }

  /** What is attached so far. */
  get attached(): readonly Attached[] {
    return this.#attached;
  }

  /** The effort every message asks for: one of `EFFORT_WORDS`. */
  get effort(): string {
    return this.#effort;
  }

  /** Asks for an effort from now on (K-295); `false` for a word that is none. */
  think(word: string): boolean {
    const name = word.toLowerCase();
    if (!Object.hasOwn(EFFORTS, name)) return false;
    this.#effort = name;
    return true;
  }

  /** Stores a file with the server. Throws `WireError` with a sentence where it cannot be read or is not taken. */
  async attach(path: string): Promise<Attached> {
    const bytes = await readFile(path);
    const name = encodeURIComponent(basename(path));
    const attached = await this.#wire.upload<Attached>(`/api/attachments?name=${name}`, new Blob([bytes]).stream(), {
      type: "application/octet-stream",
    });
    this.#attached = [...this.#attached, attached];
    return attached;
  }

  /** Takes back what went with a message that was refused. */
  putBack({ images = [], files = [] }: MessageExtras): void {
    const back = [...images.map((each) => ({ kind: "image", ...each } as const)), ...files.map(asFile)];
    this.#attached = [...back, ...this.#attached];
  }

  /** Lets go of what is attached. */
  drop(): void {
    this.#attached = [];
  }

  /** Gives what goes with a message, and lets go of what is attached; the effort stays. */
  take(): MessageExtras {
    const attached = this.#attached;
    this.#attached = [];
    const images = attached.filter((each) => each.kind === "image").map(withoutKind);
    const files = attached.filter((each) => each.kind === "file").map(withoutKind);
    const thinking = EFFORTS[this.#effort] ?? null;
    return {
      ...images.length > 0 && { images },
      ...files.length > 0 && { files },
      ...thinking !== null && { thinking },
    };
  }
}

/** A path as a person types, pastes or drops it: in quotes, with `~`, as a `file:` address, or with spaces escaped. */
export function pathOf(typed: string, { cwd, home }: { readonly cwd: string; readonly home: string }): string {
  const text = typed.trim();
  const quoted = /^"(.*)"$/.exec(text) ?? /^'(.*)'$/.exec(text);
  let path = quoted ? quoted[1]! : text;
  if (/^file:\/\//i.test(path) && URL.canParse(path)) path = decodeURIComponent(new URL(path).pathname);
  else if (!quoted && Deno.build.os !== "windows") path = path.replace(/\\(.)/g, "$1");
  if (path === "~" || path.startsWith("~/")) path = home + path.slice(1);
  return isAbsolute(path) ? path : join(cwd, path);
}

async function readFile(path: string): Promise<Uint8Array<ArrayBuffer>> {
  try {
    return await Deno.readFile(path);
  } catch (error) {
    const shown = withoutControls(path);
    if (error instanceof Deno.errors.NotFound) throw new WireError(`There is no file "${shown}"`, 404);
    const isFolder = error instanceof Deno.errors.IsADirectory || (error as { code?: string }).code === "EISDIR";
    if (isFolder) throw new WireError(`"${shown}" is a folder: attach the files in it one by one`, 400);
    throw new WireError(`"${shown}" cannot be read: ${error instanceof Error ? error.message : String(error)}`, 400);
  }
}

function withoutKind<T extends { readonly kind: string }>({ kind: _, ...rest }: T): Omit<T, "kind"> {
  return rest;
}

function asFile(file: FileRef): Attached {
  return { kind: "file", ...file };
}
