/** Keywords, comments and strings of listings: a bundle of its own, loaded with the first listing that needs it. */
import { LineReader } from "./grammar.ts";
import { GRAMMARS } from "./languages.ts";
import type { GrammarName } from "../language_tags.ts";

export { LineReader, type Piece, START, type State } from "./grammar.ts";
export { Printer } from "./printer.ts";

/** A reader of the lines of a language. */
export function readerOf(name: GrammarName): LineReader {
  return new LineReader(GRAMMARS[name]);
}
