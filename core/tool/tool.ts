/**
 * A tool: what a model may call, and how it is run.
 *
 * @module
 */
import { z } from "zod";
import { errorText } from "../log/error_text.ts";
import type { JsonSchema, ToolSpec } from "../model/mod.ts";
import { coerce } from "./coercion.ts";
import type { FindService } from "./services.ts";

/** What a running call is given. */
export interface ToolContext {
  /** Aborts when the turn is stopped, the call times out, or the process ends. Pass it to everything that waits. */
  readonly signal: AbortSignal;
  /** The conversation the call belongs to. */
  readonly conversation: string;
  /** The turn it belongs to. */
  readonly turn: string;
  /** The name of the agent that calls. */
  readonly agent: string;
  /** Looks up what the turn and the house provide. Throws `NoService`. */
  readonly service: FindService;
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

/** The shape of a tool's arguments: a zod schema, or a JSON Schema object. */
export type ToolInput = z.ZodType | JsonSchema;

/** What `run` is given: the checked arguments; of a JSON Schema, whose types the compiler cannot read, a table. */
export type ToolArguments<S extends ToolInput> = S extends z.ZodType ? z.output<S> : Readonly<Record<string, unknown>>;

/** What a tool is written as; `tool()` makes it ready to be called. */
export interface ToolDefinition<S extends ToolInput> {
  readonly name: string;
  readonly description: string;
  readonly input: S;
  readonly run: (input: ToolArguments<S>, context: ToolContext) => Promise<ToolOutput> | ToolOutput;
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
 * where that is beyond doubt (K-148). Throws `BadTool` on a name no provider would take and on a schema that is none.
 */
export function tool<S extends ToolInput>(definition: ToolDefinition<S>): Tool {
  const { name, description, concurrent = true, timeoutSeconds = 60 } = definition;
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(name)) {
    throw new BadTool(`"${name}" cannot name a tool: use up to 64 letters, digits, "-" and "_"`);
  }
  const { schema, input } = readInput(name, definition.input);
  return {
    spec: { name, description, input },
    concurrent,
    timeoutMs: timeoutSeconds * 1000,
    check(value) {
      const parsed = schema.safeParse(value);
      if (parsed.success) return { ok: true, value: parsed.data };
      const again = schema.safeParse(coerce(input, value));
      if (again.success) return { ok: true, value: again.data };
      return { ok: false, problem: z.prettifyError(parsed.error) };
    },
    // `check` made it, by this very schema.
    run: (value, context) => definition.run(value as ToolArguments<S>, context),
  };
}

/** Both faces of a tool's arguments: what checks them, and what the model is shown. */
function readInput(name: string, input: ToolInput): { readonly schema: z.ZodType; readonly input: JsonSchema } {
  try {
    if (input instanceof z.ZodType) {
      const { $schema: _, ...shown } = z.toJSONSchema(input, { io: "input" });
      return { schema: input, input: shown };
    }
    if (input.type !== "object") throw new Error('its "type" has to be "object"');
    return { schema: z.fromJSONSchema(input), input };
  } catch (error) {
    throw new BadTool(`The arguments of "${name}" have no usable schema: ${errorText(error)}`);
  }
}
