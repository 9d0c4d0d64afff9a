/**
 * Which paths tools may reach. A model names the path, and whatever it read may have named it to the model.
 *
 * Invariants (tests/core/files/reach_attacks_test.ts)
 * 1. What is given back is a real path, links followed, inside a folder that tools may reach.
 * 2. Malama's own files stay closed by whatever way they are reached; so does a protected place, unless the person named it or
 *    a place in it.
 * 3. A path outside is refused before the disk is asked, so that no answer tells what is there.
 *
 * @module
 */
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { FileRefused, systemRefusal } from "./file_refused.ts";
import { PROTECTED_AT_HOME, PROTECTED_AT_TOP } from "./protected_places.ts";

export interface ReachOptions {
  /** The person's home folder, absolute; what relative paths start at. */
  readonly home: string;
  /** `[fs] root`: absolute, from `~/`, or relative to home. Empty: home alone. */
  readonly roots: readonly string[];
  /** Malama's own files: closed whatever is named. */
  readonly own: readonly string[];
  /** Further places that are closed as protected ones are. */
  readonly guarded?: readonly string[];
  /** Folders among them that may be read all the same: exports. */
  readonly readable: readonly string[];
}

/** A place that may be reached. */
export interface Place {
  /** Absolute, links followed. For what is not there yet, with its last parts as they were written. */
  readonly path: string;
  /** For sentences: relative to home where that is shorter, quoted where it holds signs. */
  readonly shown: string;
}

/** Folders as they are named and as they are with links followed. */
interface Bounds {
  readonly roots: readonly string[];
  readonly readable: readonly string[];
  readonly own: readonly string[];
  readonly guarded: readonly string[];
}

/** Longest path that is looked at, in characters. */
const LONGEST_PATH = 4096;

export class Reach {
  readonly #home: string;
  readonly #roots: readonly string[];
  readonly #own: readonly string[];
  readonly #guarded: readonly string[];
  readonly #readable: readonly string[];

  constructor({ home, roots, own, guarded = [], readable }: ReachOptions) {
    this.#home = home;
    this.#roots = (roots.length > 0 ? roots : [home]).map((root) => absolute(root, home));
    this.#own = own;
    this.#guarded = [...PROTECTED_AT_HOME.map((path) => join(home, path)), ...PROTECTED_AT_TOP, ...guarded];
    this.#readable = readable;
  }

  /** The folders that may be reached, as they are shown. */
  get folders(): readonly string[] {
    return this.#roots.map((root) => this.show(root));
  }

  /** Where a model's path leads. Throws `FileRefused`, and for reading also when nothing is there. */
  async locate(text: string, purpose: "read" | "write"): Promise<Place> {
    const wanted = absolute(checked(text), this.#home);
    const bounds: Bounds = {
      roots: await both(this.#roots),
      readable: purpose === "read" ? await both(this.#readable) : [],
      own: await both(this.#own),
      guarded: await both(this.#guarded),
    };
    this.#check(wanted, bounds);
    const path = await this.#real(wanted, purpose);
    this.#check(path, bounds);
    return { path, shown: this.show(path) };
  }

  /** A path as it is shown: from `~/` where it is below home. */
  show(path: string): string {
    const below = relative(this.#home, path);
    const text = below === "" ? "~" : isInside(path, this.#home) ? `~/${below}` : path;
    return shownName(text);
  }

  #check(path: string, { roots, readable, own, guarded }: Bounds): void {
    if (readable.some((folder) => isInside(path, folder))) return;
    const ways = roots.filter((root) => isInside(path, root));
    if (ways.length === 0) {
      throw new FileRefused(
        "reach",
        `That path is outside of what tools may reach: stay in ${
          this.folders.join(" or ")
        }. The person sets [fs] root in ` +
          "the configuration to open another folder",
      );
    }
    const ours = own.find((place) => isInside(path, place));
    if (ours !== undefined) {
      throw new FileRefused("reach", `${this.show(ours)} belongs to Malama itself and is closed to tools`);
    }
    const shut = guarded.find((place) => isInside(path, place) && !ways.some((root) => isInside(root, place)));
    if (shut !== undefined) {
      throw new FileRefused(
        "reach",
        `${
          this.show(shut)
        } may hold secrets and is closed to tools. Only the person can open it, by naming it in [fs] root of ` +
          "the configuration",
      );
    }
  }

  async #real(wanted: string, purpose: "read" | "write"): Promise<string> {
    try {
      return await Deno.realPath(wanted);
    } catch (error) {
      if (purpose === "read" || !(error instanceof Deno.errors.NotFound)) throw systemRefusal(error, this.show(wanted));
      return await this.#realParent(wanted);
    }
  }

  /** For what is to be made: the real path of the nearest folder that is there, and the rest behind it. */
  async #realParent(wanted: string): Promise<string> {
    const rest: string[] = [];
    for (let path = wanted;; path = dirname(path)) {
      try {
        const real = await Deno.realPath(path);
        return join(real, ...rest);
      } catch (error) {
        if (!(error instanceof Deno.errors.NotFound)) throw systemRefusal(error, this.show(wanted));
        if (await isLink(path)) {
          throw new FileRefused("missing", `${this.show(path)} is a link that leads nowhere: name the file itself`);
        }
        rest.unshift(basename(path));
      }
    }
  }
}

/** Whether a path is the folder or below it. Both are absolute and without `..`. */
export function isInside(path: string, folder: string): boolean {
  const way = relative(fold(folder), fold(path));
  return way === "" || way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** A name in one line, quoted where it holds control characters or what turns the direction of writing. */
export function shownName(name: string): string {
  // deno-lint-ignore no-control-regex -- these are what must not be printed as they are
  const signs = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/g;
  if (!signs.test(name)) return name;
  return JSON.stringify(name).replace(signs, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** File systems of these systems do not tell upper from lower case. */
function fold(path: string): string {
  return ["darwin", "windows"].includes(Deno.build.os) ? path.toLowerCase() : path;
}

function checked(text: string): string {
  if (text.trim() === "") throw new FileRefused("path", "The path is empty: name a file or folder");
  if (text.includes("\0")) throw new FileRefused("path", "A path has no NUL character in it: write it without");
  if (text.length > LONGEST_PATH) throw new FileRefused("path", `A path has at most ${LONGEST_PATH} characters`);
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(text) || /^file:/i.test(text)) {
    throw new FileRefused("path", "That is an address, not a path: write it as ~/folder/file");
  }
  return text;
}

function absolute(path: string, home: string): string {
  const expanded = path === "~" ? home : path.startsWith("~/") ? join(home, path.slice(2)) : path;
  return resolve(home, expanded);
}

/** Folders as they are named and as they are with links followed, where they are there. */
async function both(folders: readonly string[]): Promise<readonly string[]> {
  const real = await Promise.all(folders.map((folder) => Deno.realPath(folder).catch(() => folder)));
  return [...new Set([...folders, ...real])];
}

async function isLink(path: string): Promise<boolean> {
  return await Deno.lstat(path).then((info) => info.isSymlink, () => false);
}
