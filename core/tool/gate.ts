/**
 * The gate: what decides whether a call may run. The loop asks it before every call; who answers is not its concern.
 *
 * @module
 */

/** A call that is about to run; its arguments have been checked. */
export interface GatedCall {
  readonly conversation: string;
  readonly turn: string;
  /** The sub-agent's run; `null` for the entry agent. */
  readonly run: string | null;
  /** Whose policy holds: the agent's name, or `composed:<name>` (K-183). */
  readonly agent: string;
  readonly toolset: string;
  readonly tool: string;
  /** As the model wrote them. */
  readonly arguments: unknown;
  /** `seq` of the call's entry. */
  readonly entry: number;
  /** What the tool says it does. */
  readonly about: string;
  /** What is wrong with other arguments, as a sentence; `null` when they fit the tool. */
  readonly check: (input: unknown) => string | null;
  /** Writes that the call waits, with its arguments; to be awaited before anybody is asked, or told what was decided. */
  readonly waits: () => Promise<void>;
}

/** What the gate says: run, with other arguments where a person changed them; or not, with a sentence for the model. */
export type GateAnswer =
  | { readonly allow: true; readonly arguments?: unknown }
  | { readonly allow: false; readonly reason: string };

/** Decides about calls. */
export interface Gate {
  /** Resolves when it is decided. Throws the signal's reason when that aborts first, and when policies are not resolved yet (K-187). */
  decide(call: GatedCall, signal: AbortSignal): Promise<GateAnswer>;
}
