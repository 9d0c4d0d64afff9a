/**
 * A tool: what a model may call, and how it is run.
 *
 * @module
 */
import { z } from "zod";
import type { JsonSchema, ToolSpec } from "../model/mod.ts";
import { coerce } from "./coercion.ts";

/** What a running call is given. */
export interface ToolContext {
  /** Aborts when the turn is stopped, the call times out, or the process ends. Pass it to everything that waits. */
  readonly signal: AbortSignal;
  /** The conversation the call belongs to. */
  readonly conversation: string;
  /** The name of the agent that calls. */
  readonly agent: string;
}

/** What a call may answer with: text, or JSON (sent as its text), or text with pictures. */
export type ToolOutput = string | number | boolean | null | readonly unknown[] | { readonly [key: string]: unknown };

/** One tool, ready to be called. Made by `tool()`. */
export interface Tool {
  readonly spec: ToolSpec;
  /** `false`: shares one lock with the other unsafe tools, so two of them never run at once. */
  readonly concurrent: boolean;
  /** Milliseconds after which a call is ended; its result says so. */
  readonly timeoutMs: number;
  /** Checks the arguments; a problem is a sentence for the model, never an exception (K-148). */
  check(
    input: unknown,
  ): { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly problem: string };
  run(input: unknown, context: ToolContext): Promise<ToolOutput> | ToolOutput;
}

/** What a tool is written as; `tool()` makes it ready to be called. */
export interface ToolDefinition<S extends z.ZodType> {
  readonly name: string;
  readonly description: string;
  /** The shape of the arguments. */
  readonly input: S;
  readonly run: (input: z.output<S>, context: ToolContext) => Promise<ToolOutput> | ToolOutput;
  /** Default `true`. */
  readonly concurrent?: boolean;
  /** Default 60. */
  readonly timeoutSeconds?: number;
}

/** A tool's definition breaks a rule; `message` says which. */
export class BadTool extends Error {
  override readonly name = "BadTool";
}

/**
 * Makes a tool from its definition. The model sees `input` as JSON Schema; what it sends is brought to the declared types
 * where that is beyond doubt (K-148). Throws `BadTool` on a name no provider would take.
 */
export function tool<S extends z.ZodType>(definition: ToolDefinition<S>): Tool {
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(definition.name)) {
    throw new BadTool(`"${definition.name}" cannot name a tool: use up to 64 letters, digits, "-" and "_"`);
  }
  const { $schema: _, ...schema } = z.toJSONSchema(definition.input, { io: "input" });
  const input: JsonSchema = schema;
  return {
    spec: { name: definition.name, description: definition.description, input },
    concurrent: definition.concurrent ?? true,
    timeoutMs: (definition.timeoutSeconds ?? 60) * 1000,
    check(value) {
      const parsed = definition.input.safeParse(value);
      if (parsed.success) return { ok: true, value: parsed.data };
      const again = definition.input.safeParse(coerce(input, value));
      if (again.success) return { ok: true, value: again.data };
      return { ok: false, problem: z.prettifyError(parsed.error) };
    },
    run: (value, context) => definition.run(value as z.output<S>, context),
  };
}
