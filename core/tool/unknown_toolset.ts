import { nearest } from "../config/mod.ts";

/** An agent names a toolset that is not installed (K-175). */
export class UnknownToolset extends Error {
  override readonly name = "UnknownToolset";
  constructor(readonly toolset: string, readonly known: readonly string[]) {
    const near = nearest(toolset, known);
    const hint = near === undefined ? "" : ` Did you mean "${near}"?`;
    const list = known.length === 0 ? "None is installed" : `The toolsets are ${known.join(", ")}`;
    super(`There is no toolset "${toolset}".${hint} ${list}`);
  }
}
