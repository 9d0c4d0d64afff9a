/**
 * A model that stops where the test tells it to, so that a message can come at every point of a turn.
 *
 * @module
 */
import { z } from "zod";
import type { ModelClient, ModelEvent, ModelMessage } from "../../../core/model/mod.ts";
import { tool, type Toolset } from "../../../core/tool/mod.ts";
import { defineToolset } from "../../../core/tool/mod.ts";

/** A place where the model or a tool waits for the test; the one called `free` is open from the start. */
export interface Gate {
  readonly gate: string;
}

/** What the model does in one call: events, and gates between them. */
export type Step = ModelEvent | Gate;

export interface Stage {
  readonly model: ModelClient;
  readonly toolset: Toolset;
  /** Resolves when that gate is reached. */
  at(gate: string): Promise<void>;
  /** Lets through whoever is or will be at that gate. */
  open(gate: string): void;
  /** What each call was sent. */
  readonly requests: (readonly ModelMessage[])[];
  /** The words of the users in a request, the newest first one last. */
  users(request: number): readonly string[];
}

export const say = (text: string): ModelEvent => ({ type: "text", text });
export const think = (text: string): ModelEvent => ({ type: "thinking", text });
export const end: ModelEvent = { type: "stop", reason: "end", provider_reason: "stop" };
export const gate = (name: string): Gate => ({ gate: name });
/** A call of the tool that waits at a gate of the name it is given. */
export const callTool = (at: string, call = at): readonly ModelEvent[] => [
  { type: "tool_start", call, name: "wait_at" },
  { type: "tool_call", call, name: "wait_at", arguments: { gate: at } },
  { type: "stop", reason: "tool_calls", provider_reason: "tool_calls" },
];

/** A stage whose n-th call does the n-th script; later ones say "ok". A script that throws does so in the stream. */
export function stage(scripts: readonly (readonly (Step | Error)[])[]): Stage {
  const reached = new Map<string, PromiseWithResolvers<void>>();
  const opened = new Map<string, PromiseWithResolvers<void>>();
  const of = (map: typeof reached, name: string) => {
    const found = map.get(name) ?? Promise.withResolvers<void>();
    map.set(name, found);
    return found;
  };
  of(opened, "free").resolve();
  const pass = async (name: string, signal: AbortSignal) => {
    of(reached, name).resolve();
    const { promise: aborted, reject } = Promise.withResolvers<never>();
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    if (signal.aborted) reject(signal.reason);
    await Promise.race([of(opened, name).promise, aborted]);
  };
  const requests: (readonly ModelMessage[])[] = [];
  const model: ModelClient = {
    info: { string: "demo:stage", provider: "demo", id: "stage", images: true, tools: true, thinking: true },
    async *stream(request, signal) {
      const script = scripts[requests.push(request.messages) - 1] ?? [say("ok"), end];
      for (const step of script) {
        if (step instanceof Error) throw step;
        if ("gate" in step) await pass(step.gate, signal);
        else yield step;
        signal.throwIfAborted();
      }
    },
  };
  const toolset = defineToolset({
    name: "waits",
    description: "Waits",
    tools: () => [
      tool({
        name: "wait_at",
        description: "Waits at a gate",
        input: z.object({ gate: z.string() }),
        concurrent: true,
        run: async ({ gate: name }, { signal }) => {
          await pass(name, signal);
          return "through";
        },
      }),
    ],
  });
  return {
    model,
    toolset,
    at: (name) => of(reached, name).promise,
    open: (name) => of(opened, name).resolve(),
    requests,
    users: (n) => (requests[n] ?? []).flatMap((message) => message.role === "user" ? [message.text] : []),
  };
}
