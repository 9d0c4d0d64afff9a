/**
 * What tools ask of the turn they run in: handing work to others, and writing to them.
 *
 * @module
 */
import { type RunningCall, serviceKey } from "../../tool/mod.ts";

/** Where an order comes from: the call that gives it, and what ends it. */
export interface OrderedBy {
  readonly call: RunningCall;
  readonly signal: AbortSignal;
}

/** What came of a sub-agent's run. `answer` is what it said last, also where it did not come to its end. */
export interface WorkReport {
  readonly kind: "report";
  readonly agent: string;
  /** What others write to it under. */
  readonly address: string | null;
  readonly answer: string;
  readonly status: "done" | "stopped" | "failed";
  /** It used all its model calls before it was done (K-157, K-214). */
  readonly capped: boolean;
  /** How many those were. */
  readonly maxIterations: number;
  /** Why it failed or was cut short, a sentence. */
  readonly failure?: string;
}

/** Why an order was not taken. */
export type WorkRefusal =
  & { readonly kind: "refused" }
  & (
    | { readonly why: "unknown agent"; readonly agent: string; readonly known: readonly string[] }
    | { readonly why: "no task" | "no tools" | "off" | "too deep" }
    | { readonly why: "name"; readonly name: string; readonly reason: "taken" | "ill-formed" }
    | { readonly why: "capabilities"; readonly tool: string }
    | { readonly why: "entry only"; readonly tool: string }
    | { readonly why: "unknown tools"; readonly tools: readonly string[]; readonly known: readonly string[] }
  );

/** A sub-agent that is to be made for one task (K-212). */
export interface ComposeOrder {
  readonly name: string;
  readonly task: string;
  readonly tools: readonly string[];
  readonly instructions: string;
}

/** Hands work to sub-agents; resolves when the work is over. Throws only what storage throws. */
export interface Delegation {
  /** To one of the agents that the caller may hand work to (K-208). */
  spawn(order: { readonly agent: string; readonly task: string }, by: OrderedBy): Promise<WorkReport | WorkRefusal>;
  /** To one that is made for it, and thrown away. */
  compose(order: ComposeOrder, by: OrderedBy): Promise<WorkReport | WorkRefusal>;
}

/** The delegation of the run that calls. */
export const DELEGATION = serviceKey<Delegation>("delegation");

/** What became of a message to others. Accepted is not read (K-133). */
export type SendReceipt =
  | { readonly status: "accepted"; readonly to: string; readonly covers: readonly string[] }
  | { readonly status: "refused"; readonly why: "over" | "no address" | "blank" }
  | { readonly status: "refused"; readonly why: "nobody"; readonly to: string; readonly roster: readonly string[] };

/** The messages between the runs of a turn. */
export interface Messages {
  /** What others write to the caller under; `null` for a run without a label. */
  readonly address: string | null;
  /** Every address that was opened in this turn, also of runs that are over (K-134). */
  roster(): readonly string[];
  /** Writes to one address, to all runs of a label, or to `everyone`. */
  send(to: string, text: string): SendReceipt;
}

/** The messages of the run that calls. */
export const MESSAGES = serviceKey<Messages>("messages");
