/**
 * Numbers that tools take within bounds. A bad one fails no call (K-166): it becomes the usual one, or the nearest good one
 * (tests/toolsets/bounds_test.ts).
 *
 * @module
 */
import { z } from "malama";

/** What is too little, too much, and taken when nothing is said. */
export interface Bounds {
  readonly least: number;
  readonly most: number;
  readonly usual: number;
}

/** A whole number; out of its bounds it becomes the usual one. */
export function orUsual({ least, most, usual }: Bounds) {
  return z.number().default(usual).transform((given) => given >= least && given <= most ? Math.floor(given) : usual);
}

/** A whole number; out of its bounds it becomes the nearest, and 0 is as if nothing was said. */
export function orNearest({ least, most, usual }: Bounds) {
  return z.number().default(usual).transform((given) => Math.min(most, Math.max(least, Math.trunc(given) || usual)));
}
