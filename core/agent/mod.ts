/** Agents: from declaration to a run, the round loop, and the dispatch of tool calls. */
export {
  type Agent,
  type AgentSource,
  buildAgent,
  type BuildOptions,
  buildPlanned,
  type BuiltAgent,
  modelStringFor,
} from "./agent.ts";
export type { Inbox, WriteDelivery } from "./inbox.ts";
export { type Budget, Ledger } from "./ledger.ts";
export { foldLoaded } from "./loaded.ts";
export {
  type AgentPlan,
  CAPABILITIES,
  type Composition,
  compositionDepth,
  planAgent,
  planComposed,
  UnknownAgent,
} from "./plan.ts";
export { CONTINUE_PROMPT, RESUME_PROMPT, WRAP_UP_PROMPT } from "./prompt.ts";
export { Recorder } from "./recorder.ts";
export { runAgent, type RunOutcome, type RunServices } from "./run.ts";
export { loadedOpening, LOADING, type Loading, type LoadOutcome, type OfferedToolset } from "./toolbox.ts";
export { ToolLock } from "./tool_lock.ts";
