/**
 * What the parts of a transcript can ask of the page they stand on. On the server, and without scripts, nothing: then the
 * forms and links they are made of still work.
 *
 * @module
 */
import { createContext } from "preact";
import type { Page } from "../state/page.ts";

export interface TranscriptActions {
  readonly basePath: string;
  /** The whole of a long result. */
  readonly payload: (ref: string) => Promise<string>;
  /** Goes on after the last turn did not end well. */
  readonly goOn: () => void;
  /** The clock of the first drawing, in milliseconds. */
  readonly now: number;
  /** The page itself; absent where a transcript is only looked at. */
  readonly page?: Page;
  /** The entry that is marked: the one the page was opened at. */
  readonly at?: number;
}

export const Actions = createContext<TranscriptActions>({
  basePath: "",
  payload: () => Promise.reject(new Error("Not connected")),
  goOn: () => {},
  now: 0,
});
