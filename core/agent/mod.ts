/** Agents: from declaration to a run, the round loop, and the dispatch of tool calls. */
export { type Agent, agentFacts, type AgentSource, buildAgent, modelStringFor, UnknownAgent } from "./agent.ts";
export type { Inbox, WriteDelivery } from "./inbox.ts";
export { CONTINUE_PROMPT, RESUME_PROMPT, WRAP_UP_PROMPT } from "./prompt.ts";
export { Recorder } from "./recorder.ts";
export { runAgent, type RunOutcome, type RunServices } from "./run.ts";
export { ToolLock } from "./tool_lock.ts";
