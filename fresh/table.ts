/**
 * The shape of the table that carries props from the server to the browser.
 *
 * @module
 */

/** One entry of the table; see `serialize.ts`. */
export type Node =
  | string
  | number
  | boolean
  | null
  | readonly (string | number | null)[]
  | { readonly [key: string]: number };

/** The place of an array's hole. */
export const HOLE = -6;

/** The values JSON lacks, by their place in the table. */
export const CONSTANTS: readonly (readonly [number, unknown])[] = [
  [-1, undefined],
  [-2, NaN],
  [-3, Infinity],
  [-4, -Infinity],
  [-5, -0],
];

/** Stands for markup that the page holds, in the props of an island. */
export class SlotReference {
  readonly id: number;

  constructor(id: number) {
    this.id = id;
  }
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
