/**
 * From a path as a model writes it to a file it may touch.
 *
 * Invariants (tests/toolsets/fs/place_test.ts: forty spellings)
 * 1. What is touched lies in one of the folders the person opened, links followed.
 * 2. Malama's own files, and the places where keys and passwords are kept, are closed even inside such a folder.
 *
 * @module
 */
import { basename, dirname, isAbsolute, join, relative, resolve } from "node:path";
import type { OwnPlaces } from "../../core/sandbox/mod.ts";

/** Where keys and passwords are kept, below the home folder. */
const SECRET_PLACES: readonly string[] = [
  ".ssh",
  ".gnupg",
  ".aws",
  ".azure",
  ".kube",
  ".docker",
  ".netrc",
  ".npmrc",
  ".pypirc",
  ".git-credentials",
  ".password-store",
  ".config/gcloud",
  ".config/gh",
  ".config/git/credentials",
  ".local/share/keyrings",
  ".mozilla",
  ".config/google-chrome",
  ".config/chromium",
  "Library/Keychains",
];

/** What may be touched. */
export interface Places {
  /** The folder relative paths mean. */
  readonly home: string;
  /** Folders that are open, absolute; at least one. */
  readonly roots: readonly string[];
  /** Files and folders that are closed, absolute. */
  readonly closed: readonly string[];
  /** Folders inside of closed ones that are open all the same, absolute. */
  readonly readable: readonly string[];
}

/** A file that may be touched, by its real path. */
export interface Place {
  readonly path: string;
  /** Nothing is there yet. */
  readonly isNew: boolean;
}

/** A path may not be touched; `message` is a sentence for the model. */
export class ClosedPlace extends Error {
  override readonly name = "ClosedPlace";
}

/** The places of this machine. `open` is the setting: folders parted by commas, the home folder when empty. */
export function placesOf(open: string, home: string, own: OwnPlaces, mayWrite = false): Places {
  const roots = open.split(",").map((folder) => folder.trim()).filter((folder) => folder !== "");
  const named = roots.map((folder) => expand(folder, home));
  const secrets = SECRET_PLACES.map((place) => join(home, place));
  return {
    home,
    roots: named.length > 0 ? named : [home],
    readable: mayWrite ? [] : own.readable,
    // A person who names such a place as a folder of its own has opened it.
    closed: [...own.closed, ...secrets.filter((secret) => !named.includes(secret))],
  };
}

/** Where a path leads. Throws `ClosedPlace`. */
export async function findPlace(written: string, places: Places): Promise<Place> {
  const path = readPath(written, places.home);
  const real = await realPlace(path);
  const readable = await Promise.all(places.readable.map(realOrSame));
  if (readable.some((root) => isInside(root, real.path))) return real;
  const roots = await Promise.all(places.roots.map(realOrSame));
  if (!roots.some((root) => isInside(root, real.path))) {
    throw new ClosedPlace(`${written} is outside of the open folders: ${places.roots.join(", ")}`);
  }
  const closed = await Promise.all(places.closed.map(realOrSame));
  if (closed.some((place) => isInside(place, real.path))) {
    throw new ClosedPlace(`${written} is closed to tools: Malama's own files and stored keys are`);
  }
  return real;
}

function readPath(written: string, home: string): string {
  if (written.trim() === "") throw new ClosedPlace("The path is empty: name a file or a folder");
  if (/\p{Cc}/u.test(written)) throw new ClosedPlace("The path holds a control character: write it without");
  if (/^[a-z][a-z0-9+.-]+:/i.test(written)) {
    throw new ClosedPlace(`${written} is an address, not a path: write a path such as notes/today.md`);
  }
  return expand(written, home);
}

function expand(written: string, home: string): string {
  const tilde = written === "~" || written.startsWith("~/") ? join(home, written.slice(1)) : written;
  return isAbsolute(tilde) ? resolve(tilde) : resolve(home, tilde);
}

/** The real path; of what is not there yet, that of the nearest folder that is, with the rest. */
async function realPlace(path: string): Promise<Place> {
  try {
    return { path: await Deno.realPath(path), isNew: false };
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw new ClosedPlace(`${path} cannot be reached`);
  }
  // A link that leads nowhere would be followed when it is written.
  if ((await Deno.lstat(path).catch(() => null)) !== null) {
    throw new ClosedPlace(`${path} is a link that leads nowhere: remove it first`);
  }
  const folder = await realPlace(dirname(path));
  return { path: join(folder.path, basename(path)), isNew: true };
}

async function realOrSame(path: string): Promise<string> {
  return await Deno.realPath(path).catch(() => resolve(path));
}

function isInside(root: string, path: string): boolean {
  const way = relative(root, path);
  return way === "" || way !== ".." && !way.startsWith("../") && !isAbsolute(way);
}
