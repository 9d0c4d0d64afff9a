/**
 * Files that are made for the person, in one folder (K-317).
 *
 * Invariants (tests/core/downloads/downloads_test.ts)
 * 1. Whatever a file is to be called, it lies in this folder, under a bare name that `/downloads/<name>` takes.
 * 2. A file is there whole or not at all, and none takes the place of another.
 *
 * @module
 */
import { join } from "node:path";

/** A file that was made. */
export interface Download {
  readonly name: string;
  /** Where it lies. */
  readonly path: string;
  /** Where the page has it. */
  readonly link: string;
  readonly bytes: number;
  /** Line feeds in it. */
  readonly lines: number;
}

/** The folder. */
export interface Downloads {
  readonly folder: string;
  /** Makes a file of pieces, read as they come. The name may be changed to one that is free and harmless. */
  put(name: string, pieces: AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>): Promise<Download>;
}

/** Names that are tried before it is given up. */
const ATTEMPTS = 1000;
/** Bytes of a name, and of its last dot with what is behind it; file systems take 255 of all. */
const STEM_BYTES = 120;
const END_BYTES = 20;

/** Opens nothing: the folder is made with the first file. */
export function createDownloads(folder: string): Downloads {
  return {
    folder,
    async put(wanted, pieces) {
      await Deno.mkdir(folder, { recursive: true, mode: 0o700 });
      const draft = join(folder, `.${crypto.randomUUID()}.new`);
      try {
        const written = await writeDraft(draft, pieces);
        const name = await nameIt(folder, draft, bareName(wanted));
        return { name, path: join(folder, name), link: `/downloads/${encodeURIComponent(name)}`, ...written };
      } finally {
        await Deno.remove(draft).catch(() => {});
      }
    },
  };
}

async function writeDraft(
  draft: string,
  pieces: AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>,
): Promise<Pick<Download, "bytes" | "lines">> {
  using file = await Deno.open(draft, { write: true, createNew: true, mode: 0o600 });
  let bytes = 0;
  let lines = 0;
  for await (const piece of pieces) {
    const part = typeof piece === "string" ? new TextEncoder().encode(piece) : piece;
    for (let written = 0; written < part.length;) written += await file.write(part.subarray(written));
    bytes += part.length;
    lines += part.reduce((count, byte) => count + (byte === 10 ? 1 : 0), 0);
  }
  await file.sync();
  return { bytes, lines };
}

/** Gives the draft the first of its names that is free; a link is not made over a file that is there. */
async function nameIt(folder: string, draft: string, wanted: string): Promise<string> {
  const dot = wanted.lastIndexOf(".");
  const [stem, end] = dot > 0 ? [wanted.slice(0, dot), wanted.slice(dot)] : [wanted, ""];
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const name = attempt === 1 ? wanted : `${stem}-${attempt}${end}`;
    try {
      await Deno.link(draft, join(folder, name));
      return name;
    } catch (error) {
      if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
    }
  }
  throw new Error(`There are ${ATTEMPTS} files named like "${wanted}" in ${folder}: remove some of them`);
}

/** Letters, digits, dots, dashes and underscores of a name, begun by one of the first two, not long. */
function bareName(wanted: string): string {
  const plain = wanted.toWellFormed().normalize("NFC").replaceAll(/[^\p{L}\p{M}\p{N}._-]+/gu, "-")
    .replaceAll(/\.{2,}/g, ".").replace(/^[^\p{L}\p{N}]+/u, "").replace(/[.-]+$/, "");
  const dot = plain.lastIndexOf(".");
  const end = dot > 0 ? firstBytes(plain.slice(dot), END_BYTES) : "";
  const stem = dot > 0 ? plain.slice(0, dot) : plain;
  return `${firstBytes(stem, STEM_BYTES) || "file"}${end}`;
}

/** As many whole characters as fit. */
function firstBytes(text: string, most: number): string {
  return new TextDecoder().decode(new TextEncoder().encode(text).subarray(0, most), { stream: true });
}
