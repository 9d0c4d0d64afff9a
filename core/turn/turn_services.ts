/**
 * What turns are run with.
 *
 * @module
 */
import type { AgentSource } from "../agent/mod.ts";
import type { ConversationBook } from "../conversation/mod.ts";
import type { CallUsage, Feed, Log, Turn } from "../log/mod.ts";
import type { ModelClient } from "../model/mod.ts";
import type { Storage } from "../storage/mod.ts";
import type { TurnGate } from "./approvals/mod.ts";

export interface TurnServices {
  readonly storage: Storage;
  readonly log: Log;
  readonly feed: Feed;
  readonly book: ConversationBook;
  readonly source: AgentSource;
  readonly now: () => Date;
  readonly newId: () => string;
  /** The default model string, once it is resolved. */
  readonly defaultModel: () => Promise<string>;
  /** The client of a model string. Throws a sentence for the person when there can be none. */
  readonly modelClient: (model: string) => Promise<ModelClient>;
  readonly costOf: (model: ModelClient, usage: CallUsage) => number | undefined;
  /** The gate of a turn, for all its runs; `request` is what was asked of it. Without one, every call runs. */
  readonly gateOf?: (turn: Turn, request: string) => TurnGate;
  /** The text `/diag` answers with. */
  readonly diagnose: () => string;
  readonly report: (level: "INFO" | "WARNING" | "ERROR", subsystem: string, message: string) => void;
}
