/**
 * Reading an export line by line: each is checked against those before it, and against what an export can be.
 *
 * Invariants (tests/core/conversation/import_test.ts, one test for each fault by its name)
 * 1. What is given has been checked: turns form a tree, `seq` ascends, everything belongs to the one conversation.
 * 2. An error names its line and says what is wrong with it.
 * 3. Besides the turns nothing is kept in memory of what was read.
 *
 * @module
 */
import { z } from "zod";
import { entryData, type EntryKind } from "../log/mod.ts";
import { BadRequest } from "./errors.ts";
import { EXPORT_VERSION } from "./export.ts";
import { lineName, type TextLine } from "./import_lines.ts";
import {
  type BlobLine,
  blobLine,
  endLine,
  type EntryLine,
  entryLine,
  type HeaderLine,
  headerLine,
  type TurnLine,
  turnLine,
} from "./import_schema.ts";

/** The most turns a conversation is imported with: they are held in memory. */
export const MOST_TURNS = 200_000;

/** How deep JSON may be nested: SQLite reads a thousand levels. */
const DEEPEST = 500;

/** An entry that may be stored as it is. `text` is its data as JSON. */
export interface CheckedEntry extends Omit<EntryLine, "data" | "data_text"> {
  readonly text: string;
}

/** What a line brought. */
export type Item =
  | { readonly kind: "header"; readonly header: HeaderLine }
  | { readonly kind: "turn"; readonly turn: TurnLine }
  | { readonly kind: "entry"; readonly entry: CheckedEntry }
  | { readonly kind: "blob"; readonly blob: BlobLine }
  | { readonly kind: "end" }
  /** A line of a kind that this version does not know. */
  | { readonly kind: "unknown" };

type Stage = "header" | "turns" | "entries" | "blobs" | "end";

export class ImportCheck {
  readonly #turns = new Map<string, TurnLine>();
  readonly #tokens = new Set<string>();
  readonly #calls = new OpenCalls();
  #stage: Stage = "header";
  #header: HeaderLine | null = null;
  #line = 0;
  #lastSeq = 0;
  #lastHash = "";
  #entries = 0;
  #blobs = 0;

  /** The turns so far, in the order they came. */
  get turns(): ReadonlyMap<string, TurnLine> {
    return this.#turns;
  }

  /** Takes the next line. Throws `BadRequest`. */
  take({ number, text }: TextLine): Item {
    this.#line = number;
    const value = this.#json(text);
    if (this.#stage === "end") throw this.#bad("Something stands behind the end of the export");
    if (this.#stage === "header") return { kind: "header", header: this.#head(value) };
    if (value.turn !== undefined) return { kind: "turn", turn: this.#turn(value.turn) };
    if (value.entry !== undefined) return { kind: "entry", entry: this.#entry(value.entry) };
    if (value.blob !== undefined) return { kind: "blob", blob: this.#blob(value.blob) };
    if (value.end !== undefined) return this.#end(value.end);
    return { kind: "unknown" };
  }

  /** Called after the last line. Throws `BadRequest` when the export is not whole. */
  finish(): void {
    if (this.#stage === "end") return;
    if (this.#stage === "header") throw new BadRequest(lineName(1), "The file is empty: choose a JSONL export");
    throw this.#bad("The file ends here, before its end: it was cut off. Export or copy it again");
  }

  #head(value: Readonly<Record<string, unknown>>): HeaderLine {
    const { malama, kind } = value;
    if (typeof malama !== "number" || kind !== "conversation") {
      throw this.#bad("This is no JSONL export of a conversation: choose a file that Malama exported as JSONL");
    }
    if (malama > EXPORT_VERSION) {
      throw this.#bad(
        `The file has version ${malama}, of a later Malama; this one reads version ${EXPORT_VERSION}: update`,
      );
    }
    if (malama !== EXPORT_VERSION) throw this.#bad(`There is no version ${malama} of the format`);
    this.#stage = "turns";
    return this.#header = this.#shape(headerLine, value, "");
  }

  #turn(value: unknown): TurnLine {
    this.#enter("turns", ["turns"]);
    const turn = this.#shape(turnLine, value, "turn");
    this.#belongs(turn.conversation);
    if (this.#turns.has(turn.id)) throw this.#bad(`Turn "${turn.id}" is there twice`);
    const parent = turn.parent === null ? null : this.#turns.get(turn.parent);
    if (parent === undefined) {
      throw this.#bad(`Turn "${turn.id}" stands under "${turn.parent}", which is not among the turns before it`);
    }
    if (turn.n !== (parent?.n ?? 0) + 1) throw this.#bad(`Turn "${turn.id}" is not at the place it says it is`);
    if (turn.token !== null && this.#tokens.has(turn.token)) throw this.#bad("Two turns have one token");
    if (turn.token !== null) this.#tokens.add(turn.token);
    if (this.#turns.size === MOST_TURNS) {
      throw this.#bad(`A conversation of more than ${MOST_TURNS} turns cannot be imported`);
    }
    this.#turns.set(turn.id, turn);
    return turn;
  }

  #entry(value: unknown): CheckedEntry {
    this.#enter("entries", ["turns", "entries"]);
    const { data, data_text, ...entry } = this.#shape(entryLine, value, "entry");
    this.#belongs(entry.conversation);
    if (entry.seq <= this.#lastSeq) throw this.#bad(`Entry ${entry.seq} comes after entry ${this.#lastSeq}`);
    if (entry.seq > this.#header!.last_seq) {
      throw this.#bad(`Entry ${entry.seq} lies behind the last one that the first line names`);
    }
    if (entry.turn !== null && !this.#turns.has(entry.turn)) {
      throw this.#bad(`Entry ${entry.seq} belongs to turn "${entry.turn}", which is not there`);
    }
    this.#lastSeq = entry.seq;
    this.#entries++;
    if (data === null && data_text !== undefined) return unreadable(entry, data_text);
    this.#checkData(entry, data);
    return { ...entry, text: JSON.stringify(data) };
  }

  #checkData(entry: Omit<EntryLine, "data" | "data_text">, data: unknown): void {
    const known = Object.hasOwn(entryData, entry.kind) ? entryData[entry.kind as EntryKind] : z.looseObject({});
    this.#shape(known, data, "entry.data");
    for (const ref of referencesOf(entry.kind, data as Readonly<Record<string, unknown>>)) {
      if (typeof ref !== "string" || !/^\/(?:images|payloads)\/[0-9a-f]{64}$/.test(ref)) {
        throw this.#bad(`Entry ${entry.seq} refers to something that is no stored file`);
      }
    }
    const twice = this.#calls.take(entry, data as Readonly<Record<string, unknown>>);
    if (twice !== null) throw this.#bad(`Entry ${entry.seq} is a second result of the call "${twice}"`);
  }

  #blob(value: unknown): BlobLine {
    this.#enter("blobs", ["turns", "entries", "blobs"]);
    const blob = this.#shape(blobLine, value, "blob");
    if (blob.hash <= this.#lastHash) throw this.#bad("The files are not in the order of their hashes");
    if (blob.data !== null && blob.media_type === null) throw this.#bad("blob.media_type: Is missing");
    this.#lastHash = blob.hash;
    this.#blobs++;
    return blob;
  }

  #end(value: unknown): Item {
    const { turns, entries, blobs } = this.#shape(endLine, value, "end");
    if (turns !== this.#turns.size || entries !== this.#entries || blobs !== this.#blobs) {
      const said = `${turns} turns, ${entries} entries and ${blobs} files`;
      const found = `${this.#turns.size}, ${this.#entries} and ${this.#blobs}`;
      throw this.#bad(`The file says that it holds ${said}, and there are ${found}: something is missing or was added`);
    }
    const { head } = this.#header!;
    if (head !== null && !this.#turns.has(head)) {
      throw new BadRequest(lineName(1), `The turn in view, "${head}", is not there`);
    }
    this.#stage = "end";
    return { kind: "end" };
  }

  #enter(stage: Stage, from: readonly Stage[]): void {
    if (!from.includes(this.#stage)) {
      throw this.#bad(`The line stands behind the ${this.#stage}, where it does not belong`);
    }
    this.#stage = stage;
  }

  #belongs(conversation: string): void {
    if (conversation !== this.#header!.id) {
      throw this.#bad(`The line belongs to another conversation, "${conversation}"`);
    }
  }

  #json(text: string): Readonly<Record<string, unknown>> {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      throw this.#bad("The line is not JSON: the file was cut off or changed");
    }
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      throw this.#bad("The line is not a JSON object");
    }
    if (!isShallow(value, DEEPEST)) throw this.#bad(`The line is nested deeper than ${DEEPEST} levels`);
    return value as Readonly<Record<string, unknown>>;
  }

  #shape<S extends z.ZodType>(schema: S, value: unknown, at: string): z.output<S> {
    const parsed = schema.safeParse(value, {
      error: (issue) => issue.input === undefined ? "Is missing" : undefined,
    });
    if (parsed.success) return parsed.data;
    const [issue] = parsed.error.issues;
    const where = [at, ...issue!.path.map(String)].filter((step) => step !== "").join(".");
    throw this.#bad(`${where}: ${issue!.message}`);
  }

  #bad(message: string): BadRequest {
    return new BadRequest(lineName(this.#line), message);
  }
}

/** The calls of rounds that are not over yet: within one, each call has its own id. */
class OpenCalls {
  readonly #rounds = new Map<string, Set<string>>();

  /** Takes an entry in; gives the id of a call that is there twice. */
  take({ turn, run, kind }: Pick<EntryLine, "turn" | "run" | "kind">, data: Readonly<Record<string, unknown>>) {
    const agent = JSON.stringify([turn, run]);
    if (kind === "round" || kind === "user" || kind === "inbox") this.#rounds.delete(agent);
    if (kind !== "tool") return null;
    const call = String(data.call);
    const calls = this.#rounds.get(agent) ?? new Set();
    if (calls.has(call)) return call;
    this.#rounds.set(agent, calls.add(call));
    return null;
  }
}

/**
 * An entry whose data was lost before it was exported reads as such again. Words that the index would have to take in
 * cannot be stored that way.
 */
function unreadable(entry: Omit<EntryLine, "data" | "data_text">, text: string): CheckedEntry {
  const isStorable = text.isWellFormed() && !text.includes("\0") && entry.kind !== "user" && entry.kind !== "text";
  if (isStorable) return { ...entry, text };
  const notice = { text: `Entry ${entry.seq} cannot be read`, level: "warning" };
  return { ...entry, kind: "notice", text: JSON.stringify(notice) };
}

/** What entries of the kinds that are known refer to. */
function referencesOf(kind: string, data: Readonly<Record<string, unknown>>): unknown[] {
  switch (kind) {
    case "user":
      return [...refsIn(data.images), ...refsIn(data.files)];
    case "tool":
      return [...refsIn(data.images), ...present(data.result_ref)];
    case "round":
      return present(data.request_ref);
    case "image":
      return [data.ref];
    default:
      return [];
  }
}

function refsIn(list: unknown): unknown[] {
  return Array.isArray(list) ? list.map((each: { readonly ref?: unknown }) => each.ref) : [];
}

function present(ref: unknown): unknown[] {
  return ref === undefined ? [] : [ref];
}

function isShallow(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  return levels > 0 && Object.values(value).every((each) => isShallow(each, levels - 1));
}
