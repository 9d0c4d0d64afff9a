/**
 * What an agent reads of the work it handed on.
 *
 * Invariant: a report that is not whole says so first, whatever the answer says (K-157, K-214; tests/toolsets/core_test.ts).
 *
 * @module
 */
import type { WorkRefusal, WorkReport } from "../../core/turn/mod.ts";

/** The result of `spawn_subagent` and `compose_subagent`. */
export function reportText(outcome: WorkReport | WorkRefusal): string {
  return outcome.kind === "report" ? workText(outcome) : refusalText(outcome);
}

function workText({ agent, answer, status, capped, maxIterations, failure }: WorkReport): string {
  const said = answer === "" ? "" : `\n\nWhat it had to say until then:\n\n${answer}`;
  const why = failure === undefined ? "" : `: ${failure}`;
  switch (status) {
    case "done":
      return capped
        ? `Note: ${agent} used all its ${maxIterations} model calls before it was done, so this may be partial.\n\n${answer}`
        : answer === ""
        ? `${agent} is done and said nothing`
        : answer;
    case "stopped":
      return `${agent} was stopped before it was done${why}${said}`;
    case "failed":
      return `${agent} failed${why}${said}`;
    default:
      return status satisfies never;
  }
}

function refusalText(refusal: WorkRefusal): string {
  switch (refusal.why) {
    case "unknown agent":
      return refusal.known.length === 0
        ? `There is no "${refusal.agent}" to give work to: you have no sub-agents`
        : `There is no "${refusal.agent}" to give work to. There are ${refusal.known.join(", ")}`;
    case "no task":
      return "Nothing was started: the task is empty. Say what is to be done, with everything one has to know";
    case "no tools":
      return "Nothing was started: name at least one capability. `list_capabilities` shows them";
    case "off":
      return "Nothing was started: composing sub-agents is switched off ([capabilities].max_depth is 0)";
    case "too deep":
      return "Nothing was started: you are as deep as sub-agents may nest. Do the work yourself";
    case "name":
      return refusal.reason === "taken"
        ? `Nothing was started: "${refusal.name}" is a declared agent. Give yours another name, or give that one the task`
        : `Nothing was started: "${refusal.name}" cannot be its name. Use up to 40 letters, digits, "-" and "_"`;
    case "capabilities":
      return `Nothing was started: "${refusal.tool}" cannot be given away. While depth is left a sub-agent can compose others anyway`;
    case "entry only":
      return `Nothing was started: "${refusal.tool}" is for the entry agent alone`;
    case "unknown tools":
      return `Nothing was started: there is no capability ${
        refusal.tools.map((name) => `"${name}"`).join(", ")
      }. There are ${refusal.known.join(", ")}`;
    default:
      return refusal satisfies never;
  }
}
