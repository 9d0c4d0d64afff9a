/** One entry of the table that carries props from the server to the browser; see `serialize.ts`. */
export type Node = Leaf | boolean | readonly Leaf[] | { readonly [key: string]: number };

/** What an entry may hold. */
export type Leaf = string | number | null;

/** The place of an array's hole. */
export const HOLE = -6;

/** The values JSON lacks, by their place in the table. */
export const CONSTANTS: readonly (readonly [number, unknown])[] = [undefined, NaN, Infinity, -Infinity, -0]
  .map((value, index) => [-1 - index, value]);

/** Stands for markup that the page holds, in the props of an island. */
export class SlotReference {
  constructor(readonly id: number) {}
}

/** The id of the script element that holds the table. */
export const TABLE_ID = "__FRSH_STATE";

/** The first entry of the table: what the boot module needs to know. */
export interface PageTable {
  readonly basePath: string;
  /** The content hashes of the static files the page asked for. */
  readonly assets: Readonly<Record<string, string>>;
  readonly islands: readonly {
    /** The address of the island's module. */
    readonly module: string;
    readonly exportName: string;
    readonly props: Readonly<Record<string, unknown>>;
  }[];
}
