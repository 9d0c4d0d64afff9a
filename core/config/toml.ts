/**
 * TOML read two ways: as values, and, only when somebody asks, as places in the text. The one file that knows the parser.
 *
 * @module
 */
import { parse, parseDocument } from "@decimalturn/toml-patch";

/** A table as parsed. It has no prototype, so `constructor` and `__proto__` are keys like any other. */
export type TomlTable = Readonly<Record<string, unknown>>;

/** The text is no TOML. `line` is 1-based. */
export class TomlSyntaxError extends Error {
  override readonly name = "TomlSyntaxError";

  constructor(message: string, readonly line: number | undefined, options?: ErrorOptions) {
    super(message, options);
  }
}

/** The values of a document without a byte order mark. Throws `TomlSyntaxError`. */
export function parseToml(text: string): TomlTable {
  return readable(() => parse(text) as TomlTable);
}

function readable<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof RangeError) throw new TomlSyntaxError("It is nested too deeply", undefined, { cause: error });
    const line = (error as { readonly line?: unknown }).line;
    const said = error instanceof Error ? error.message.trim().split("\n").at(-1)! : String(error);
    throw syntaxError(said, typeof line === "number" ? line : undefined, error);
  }
}

/** The parser's words, where they would mislead put better; what breaks off at a line's end is told of that line. */
function syntaxError(said: string, line: number | undefined, cause: unknown): TomlSyntaxError {
  const word = /^Invalid (?:float|integer|boolean) "(.*)"$/.exec(said)?.[1];
  if (word !== undefined) {
    return new TomlSyntaxError(`"${word}" is no value: a text needs quotes around it`, line, { cause });
  }
  const brokenOff = line !== undefined && /same line as|single-line/.test(said);
  return new TomlSyntaxError(said, brokenOff ? line - 1 : line, { cause });
}

/** Whether a parsed value is a table. */
export function isTable(value: unknown): value is TomlTable {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date);
}

/** A stretch of the text, in UTF-16 units. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** `key = value`, wherever it stands. */
export interface Assignment extends Span {
  /** From the document's root; array positions are numbers. */
  readonly path: readonly (string | number)[];
  /** 1-based. */
  readonly line: number;
  readonly value: Span;
  readonly inline: InlineTable | null;
}

/** `{ … }`. */
export interface InlineTable extends Span {
  readonly items: readonly InlineItem[];
}

/** An assignment inside an inline table. */
export interface InlineItem extends Assignment {
  /** Whether a comma follows it. */
  readonly comma: boolean;
}

/** `[name]` or `[[name]]` with the assignments under it. */
export interface Block {
  readonly path: readonly (string | number)[];
  readonly list: boolean;
  readonly line: number;
  /** The header itself; `null` for what stands before the first one. */
  readonly header: Span | null;
  readonly assignments: readonly Assignment[];
}

/** A document's layout. */
export interface Outline {
  readonly blocks: readonly Block[];
  readonly comments: readonly Span[];
}

/** What the parser calls its nodes; only what is read here. */
interface Node {
  readonly type: string;
  readonly loc: { readonly start: Position; readonly end: Position };
  readonly key?: { readonly value?: readonly string[]; readonly item?: { readonly value: readonly string[] } };
  readonly value?: Node;
  readonly item?: Node;
  readonly items?: readonly Node[];
  readonly comma?: boolean;
}

interface Position {
  readonly line: number;
  readonly column: number;
}

/** The layout of a document without a byte order mark. Throws `TomlSyntaxError`. */
export function outline(text: string): Outline {
  const nodes = readable(() => parseDocument(text).cst as unknown as readonly Node[]);
  return new OutlineReader(text).read(nodes);
}

class OutlineReader {
  readonly #lines: readonly number[];
  readonly #comments: Span[] = [];

  constructor(text: string) {
    const starts = [0];
    for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
    this.#lines = starts;
  }

  read(nodes: readonly Node[]): Outline {
    const top: Assignment[] = [];
    const blocks: Block[] = [{ path: [], list: false, line: 1, header: null, assignments: top }];
    const counts = new Map<string, number>();
    for (const node of nodes) {
      if (node.type === "Table" || node.type === "TableArray") blocks.push(this.#block(node, counts));
      else this.#row(node, [], top);
    }
    return { blocks, comments: this.#comments };
  }

  #block(node: Node, counts: Map<string, number>): Block {
    const list = node.type === "TableArray";
    const path = withPositions(node.key!.item!.value, list, counts);
    const assignments: Assignment[] = [];
    for (const item of node.items ?? []) this.#row(item, path, assignments);
    const header = this.#span(node.key as unknown as Node);
    return { path, list, line: node.loc.start.line, header, assignments };
  }

  #row(node: Node, base: readonly (string | number)[], into: Assignment[]): void {
    if (node.type === "Comment") this.#comments.push(this.#span(node));
    if (node.type === "KeyValue") into.push(this.#assignment(node, base));
  }

  #assignment(node: Node, base: readonly (string | number)[]): Assignment {
    const path = [...base, ...node.key!.value!];
    const value = node.value!;
    const inline = value.type === "InlineTable" ? this.#inline(value, path) : null;
    return { ...this.#span(node), path, line: node.loc.start.line, value: this.#span(value), inline };
  }

  #inline(node: Node, path: readonly (string | number)[]): InlineTable {
    const items = (node.items ?? []).filter((item) => item.item?.type === "KeyValue");
    return {
      ...this.#span(node),
      items: items.map((item) => ({ ...this.#assignment(item.item!, path), comma: item.comma === true })),
    };
  }

  #span(node: Node): Span {
    return { start: this.#offset(node.loc.start), end: this.#offset(node.loc.end) };
  }

  #offset(position: Position): number {
    return this.#lines[position.line - 1]! + position.column;
  }
}

/** Puts the position of the latest `[[element]]` into every path that leads through one. */
function withPositions(
  names: readonly string[],
  list: boolean,
  counts: Map<string, number>,
): readonly (string | number)[] {
  const path: (string | number)[] = [];
  names.forEach((name, index) => {
    path.push(name);
    const id = JSON.stringify(path);
    if (list && index === names.length - 1) counts.set(id, (counts.get(id) ?? -1) + 1);
    const count = counts.get(id);
    if (count !== undefined) path.push(count);
  });
  return path;
}

/**
 * Finds lines: gives the line of what stands at the path, or of the nearest table around it; `undefined` when the path leads
 * nowhere in the text. Parses the text once, when first asked.
 */
export function lineFinder(text: string): (path: readonly (string | number)[]) => number | undefined {
  let places: ReadonlyMap<string, number> | undefined;
  return (path) => {
    places ??= placesIn(text);
    for (let length = path.length; length > 0; length--) {
      const line = places.get(JSON.stringify(path.slice(0, length)));
      if (line !== undefined) return line;
    }
    return undefined;
  };
}

function placesIn(text: string): ReadonlyMap<string, number> {
  const places = new Map<string, number>();
  const note = (path: readonly (string | number)[], line: number) => {
    const id = JSON.stringify(path);
    if (!places.has(id)) places.set(id, line);
  };
  const assigned = (assignment: Assignment, base: number) => {
    for (let length = base + 1; length <= assignment.path.length; length++) {
      note(assignment.path.slice(0, length), assignment.line);
    }
    for (const item of assignment.inline?.items ?? []) assigned(item, assignment.path.length);
  };
  for (const block of outline(text).blocks) {
    if (block.header) {
      for (let length = 1; length <= block.path.length; length++) note(block.path.slice(0, length), block.line);
    }
    for (const assignment of block.assignments) assigned(assignment, block.path.length);
  }
  return places;
}
