/**
 * Runs the tool calls of a round: each the moment its arguments are complete, together where they may.
 *
 * Invariants
 * 1. Every call gets exactly one result, and nothing a tool does is an exception of the loop (K-148, K-149).
 * 2. A call with malformed, cut-off or ill-fitting arguments is answered and never run.
 * 3. A call's entry is durable before the tool runs (ARCHITECTURE section 4).
 * 4. A call runs only after the gate allowed it; before anybody is asked about it, its entry holds its arguments and says
 *    that it waits (K-152).
 * 5. The same call three times in a row is not run the third time (casebook, "Runaway loop").
 *
 * All in tests/core/agent/dispatch_test.ts, the fourth in gate_test.ts beside it.
 *
 * @module
 */
import { errorText, INTERRUPTED, NOT_RUN, type OpenEntry, type ToolData } from "../log/mod.ts";
import type { Blobs } from "../storage/mod.ts";
import type { FindService, Gate, GatedCall, Tool, ToolOfToolset } from "../tool/mod.ts";
import type { Agent } from "./agent.ts";
import { CallScope } from "./call_scope.ts";
import type { Recorder } from "./recorder.ts";
import { shapeOutput } from "./tool_output.ts";
import { type ToolLock, untilAborted } from "./tool_lock.ts";

/** The same call this many times in a row is taken for a loop. */
export const REPEATS_TAKEN_FOR_LOOP = 3;

/** A call as the model made it. */
export interface IncomingCall {
  readonly arguments: unknown;
  /** The text of the arguments when it is not JSON. */
  readonly malformed?: string;
}

export interface DispatchServices {
  readonly recorder: Recorder;
  readonly blobs: Blobs;
  readonly lock: ToolLock;
  readonly now: () => Date;
  /** Asked before every call; without one every call runs. */
  readonly gate?: Gate;
  /** Looks up what the turn and the house provide to the tools. */
  readonly service: FindService;
}

type Permission =
  | { readonly allow: true; readonly arguments: unknown }
  | { readonly allow: false; readonly status: ToolData["status"]; readonly text: string };

interface Outcome {
  readonly status: ToolData["status"];
  readonly text: string;
  readonly rest?: Partial<ToolData>;
}

export class Dispatcher {
  readonly #agent: Agent;
  readonly #services: DispatchServices;
  readonly #signal: AbortSignal;
  readonly #running = new Set<Promise<void>>();
  #previous: Promise<void> = Promise.resolve();
  #lastCall = "";
  #repeats = 0;

  constructor(agent: Agent, services: DispatchServices, signal: AbortSignal) {
    this.#agent = agent;
    this.#services = services;
    this.#signal = signal;
  }

  /** True once a call was refused for being the same over and over: the loop should come to its end. */
  isLooping = false;

  /** The toolset a tool of this name came with, or `""` for none. */
  toolsetOf(name: string): string {
    return this.#find(name)?.toolset ?? "";
  }

  /** Starts a call. `refusal` answers it without running it. */
  start(handle: OpenEntry<"tool">, call: IncomingCall, refusal?: string): void {
    const before = this.#previous;
    const work = this.#answer(handle, call, refusal ?? this.#repeated(handle.data.name, call), before);
    const settled = work.catch(() => {});
    this.#previous = this.#agent.concurrentTools ? Promise.resolve() : settled;
    this.#running.add(settled);
    settled.then(() => this.#running.delete(settled));
  }

  /** Waits until every call has its result. */
  async finish(): Promise<void> {
    await Promise.all(this.#running);
  }

  async #answer(
    handle: OpenEntry<"tool">,
    call: IncomingCall,
    refusal: string | undefined,
    before: Promise<void>,
  ): Promise<void> {
    const { recorder } = this.#services;
    const base: ToolData = { ...handle.data, arguments: call.malformed ?? call.arguments };
    const admitted = refusal ?? this.#admit(base.name, call);
    if (typeof admitted === "string") {
      return await recorder.endTool(handle, { ...base, status: "failed", ...measured(admitted) });
    }
    await untilAborted(before, this.#signal).catch(() => {});
    const answer = await this.#ask(handle, base, admitted);
    if (!answer.allow) {
      return await recorder.endTool(handle, { ...base, status: answer.status, ...measured(answer.text) });
    }
    const input = answer.arguments;
    const began = this.#services.now();
    const running: ToolData = { ...base, arguments: input, status: "running", started_at: began.toISOString() };
    // Durable before it runs: after a crash nobody may think that it never started.
    if (handle.isOpen) await handle.patch(running);
    const scope = new CallScope(this.#services.service, { entry: handle.seq, tool: base.name, arguments: input });
    const outcome = await this.#run(admitted, input, scope);
    const ms = this.#services.now().getTime() - began.getTime();
    await recorder.endTool(handle, {
      ...running,
      status: outcome.status,
      ...measured(outcome.text),
      ...outcome.rest,
      ms,
    }, scope.end());
  }

  /** Whether the gate lets the call run, and with which arguments. */
  async #ask(handle: OpenEntry<"tool">, base: ToolData, held: Tool): Promise<Permission> {
    const { gate, recorder } = this.#services;
    if (!gate) return { allow: true, arguments: base.arguments };
    const { conversation, turn, run = null } = recorder.scope;
    const { name: tool, toolset, arguments: input } = base;
    try {
      const check = (value: unknown) => {
        const checked = held.check(value);
        return checked.ok ? null : checked.problem;
      };
      const call: GatedCall = {
        conversation,
        turn,
        run,
        agent: this.#agent.policy ?? this.#agent.name,
        toolset,
        tool,
        entry: handle.entry.seq,
        arguments: input,
        about: held.spec.description,
        check,
        waits: async () => {
          if (handle.isOpen) await handle.patch(base);
        },
      };
      const answer = await untilAborted(gate.decide(call, this.#signal), this.#signal);
      if (!answer.allow) return { allow: false, status: "denied", text: answer.reason };
      if (answer.arguments === undefined) return { allow: true, arguments: input };
      const problem = check(answer.arguments);
      if (problem === null) return { allow: true, arguments: answer.arguments };
      return {
        allow: false,
        status: "failed",
        text: `${tool} was not run: its changed arguments do not fit. ${problem}`,
      };
    } catch (error) {
      if (this.#signal.aborted) return { allow: false, status: "interrupted", text: NOT_RUN };
      return { allow: false, status: "failed", text: `${tool} was not run: ${errorText(error)}` };
    }
  }

  async #run(tool: Tool, input: unknown, { service }: CallScope): Promise<Outcome> {
    const checked = tool.check(input);
    if (!checked.ok) return { status: "failed", text: checked.problem };
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(new TimedOut(tool.timeoutMs)), tool.timeoutMs);
    const signal = AbortSignal.any([this.#signal, limit.signal]);
    const { conversation, turn } = this.#services.recorder.scope;
    const context = { signal, conversation, turn, agent: this.#agent.name, service };
    const work = async () => await tool.run(checked.value, context);
    try {
      const output = await untilAborted(tool.concurrent ? work() : this.#services.lock.hold(work, signal), signal);
      const { text, ...rest } = await shapeOutput(output, this.#services.blobs, context.conversation);
      return { status: "done", text, rest };
    } catch (error) {
      if (this.#signal.aborted) return { status: "interrupted", text: INTERRUPTED };
      if (error instanceof TimedOut) return { status: "failed", text: error.message };
      return { status: "failed", text: `${tool.spec.name} failed: ${errorText(error)}` };
    } finally {
      clearTimeout(timer);
    }
  }

  /** The tool that is to run, or what keeps it from being run, as a sentence for the model. */
  #admit(name: string, call: IncomingCall): Tool | string {
    const held = this.#find(name);
    if (!held) {
      const names = this.#agent.tools.map((each) => each.tool.spec.name).join(", ");
      return `There is no tool "${name}". ${names ? `The tools are: ${names}` : "There are no tools"}`;
    }
    if (call.malformed !== undefined) {
      return `The arguments are not complete JSON, so ${name} was not run. Send the call again with all of its arguments`;
    }
    const checked = held.tool.check(call.arguments);
    return checked.ok ? held.tool : `${name} was not run, its arguments do not fit. ${checked.problem}`;
  }

  #repeated(name: string, call: IncomingCall): string | undefined {
    const key = `${name} ${JSON.stringify(call.malformed ?? call.arguments)}`;
    this.#repeats = key === this.#lastCall ? this.#repeats + 1 : 1;
    this.#lastCall = key;
    if (this.#repeats < REPEATS_TAKEN_FOR_LOOP) return undefined;
    this.isLooping = true;
    return `${name} was not run: the same call was made ${this.#repeats} times in a row, and its result will not change`;
  }

  #find(name: string): ToolOfToolset | undefined {
    return this.#agent.tools.find((held) => held.tool.spec.name === name);
  }
}

class TimedOut extends Error {
  override readonly name = "TimedOut";
  constructor(ms: number) {
    super(`It did not end within ${ms / 1000} seconds and was stopped; it may have done part of its work`);
  }
}

function measured(text: string): Pick<ToolData, "result" | "result_bytes"> {
  return { result: text, result_bytes: new TextEncoder().encode(text).byteLength };
}
