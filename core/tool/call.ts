/**
 * The call that is running, to the tool that runs: for tools that open something which has to end with their call.
 *
 * @module
 */
import type { Closing } from "../log/mod.ts";
import { serviceKey } from "./services.ts";

/** A call that is running. */
export interface RunningCall {
  /** `seq` of its entry. */
  readonly entry: number;
  /** As its entry has it. */
  readonly tool: string;
  readonly arguments: unknown;
  /**
   * Has an entry closed in the transaction that stores the result of the call. `false` when the call has its result
   * already, because it was stopped or took too long: then it is for the tool to close it.
   */
  endWith(closing: Closing): boolean;
}

/** The call that is running. */
export const CALL = serviceKey<RunningCall>("call");
