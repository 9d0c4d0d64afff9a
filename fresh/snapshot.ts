import type { ComponentType } from "preact";
import type { Command } from "./registration.ts";

/** A function export of an island file. The file is named below the root; `name` is what errors call the island. */
export interface Island {
  readonly name: string;
  readonly file: string;
  readonly exportName: string;
}

/** The built browser files. */
export interface PageBundle {
  /** A hash of all files: it names the address they are served under. */
  readonly hash: string;
  /** The files by name, e.g. `islands/Counter.js`. */
  readonly files: ReadonlyMap<string, string>;
  /** The entry of each island file, e.g. `islands/Counter.tsx` → `islands/Counter.js`. */
  readonly entries: Readonly<Record<string, string>>;
  /** The module that brings a page to life. */
  readonly boot: string;
}

/** A static file, ready to be sent, and a hash of its content. */
export interface StaticFile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly type: string;
  readonly hash: string;
}

/** The parts of an app that live in files: what a build finds under its root. */
export interface Snapshot {
  readonly root: string;
  readonly isDevelopment: boolean;
  /** What the files of `routes/` register, in order. */
  readonly routes: readonly Command<unknown>[];
  /** Imports the island modules, once, so that their components are recognised while rendering. */
  loadIslands(): Promise<void>;
  /** The island a component is, if it is one. */
  islandOf(component: ComponentType<never>): Island | undefined;
  /** The built browser files, or null for an app without islands. Rejects with what is wrong with an island. */
  bundle(): Promise<PageBundle | null>;
  /** A file of the static folders by its path below them, e.g. `/styles.css`; null when there is none. */
  staticFile(path: string): Promise<StaticFile | null>;
  /** The content hash of a static file, or null when there is none. */
  staticHash(path: string): string | null;
}
