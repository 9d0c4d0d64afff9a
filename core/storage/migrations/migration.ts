/** One step of the schema. Steps run in order, each in a transaction of its own that also sets `user_version`. */
export interface Migration {
  /** From 1, without gaps. */
  readonly version: number;
  readonly statements: readonly string[];
}
