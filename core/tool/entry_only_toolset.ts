/** A toolset for the entry agent alone is named by another agent (K-175). */
export class EntryOnlyToolset extends Error {
  override readonly name = "EntryOnlyToolset";
  constructor(readonly toolset: string) {
    super(`The toolset "${toolset}" is for the entry agent alone: take it off this agent's list`);
  }
}
