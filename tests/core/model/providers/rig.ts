/**
 * What the provider tests share: a client for a fake provider, and a stream taken to its end.
 *
 * @module
 */
import type { CallUsage } from "../../../../core/log/mod.ts";
import {
  describeModel,
  type ModelClient,
  type ModelError,
  type ModelEvent,
  type ModelInfo,
  type ModelQuirks,
  type ModelRequest,
  parseModelString,
  type ProviderOptions,
  quirksOf,
  type StopReason,
  type ToolSpec,
} from "../../../../core/model/mod.ts";
import type { Codec, Target } from "../../../../core/model/providers/codec.ts";
import { codecOf } from "../../../../core/model/providers/client.ts";
import { providerAddress } from "../../../../core/model/providers/endpoints.ts";
import { createProvider } from "../../../../core/model/providers/mod.ts";

export const TOOLS: readonly ToolSpec[] = [
  { name: "now", description: "Tells the time.", input: { type: "object", properties: {} } },
  {
    name: "calculate",
    description: "Calculates.",
    input: { type: "object", properties: { expression: { type: "string" } }, required: ["expression"] },
  },
];

/** A request with one question in it. */
export function question(changes: Partial<ModelRequest> = {}): ModelRequest {
  return { system: "Be brief.", messages: [{ role: "user", text: "What is it?" }], tools: TOOLS, ...changes };
}

/** A client for a model string; waits between attempts are one millisecond. */
export function clientFor(modelString: string, options: Partial<ProviderOptions> = {}): ModelClient {
  const model = parseModelString(modelString);
  return createProvider(model, describeModel(model), {
    env: () => undefined,
    backoffMs: 1,
    random: () => 0.5,
    ...options,
  });
}

/** What is known of a model, said by the test instead of the catalogue. */
export interface Known {
  readonly info?: Partial<ModelInfo>;
  readonly quirks?: ModelQuirks;
}

/** A codec with its target, for tests that send nothing. */
export function targetOf(
  modelString: string,
  known: Known = {},
): { readonly codec: Codec; readonly target: Target; readonly warnings: string[] } {
  const model = parseModelString(modelString);
  const warnings: string[] = [];
  const target: Target = {
    model,
    info: { ...describeModel(model), ...known.info },
    quirks: known.quirks ?? quirksOf(model),
    baseUrl: providerAddress(model),
    warn: (text) => void warnings.push(text),
  };
  return { codec: codecOf(model.provider), target, warnings };
}

/** The body a codec makes, as it arrives at the server. */
export function bodyOf(
  modelString: string,
  request: ModelRequest = question(),
  known: Known = {},
): { readonly body: unknown; readonly text: string; readonly warnings: string[] } {
  const { codec, target, warnings } = targetOf(modelString, known);
  const text = JSON.stringify(codec.body(request, target));
  return { body: JSON.parse(text), text, warnings };
}

/** A stream taken to its end. */
export interface Answer {
  readonly events: readonly ModelEvent[];
  readonly text: string;
  readonly thinking: string;
  readonly refusal: string;
  readonly calls: readonly { readonly name: string; readonly arguments: unknown; readonly malformed?: string }[];
  readonly usage?: CallUsage;
  readonly stop?: StopReason;
  readonly providerReason?: string;
  /** What it threw. */
  readonly error?: unknown;
}

/** Takes a stream to its end; an error it throws is part of the result. */
export async function take(
  client: ModelClient,
  request: ModelRequest = question(),
  signal: AbortSignal = new AbortController().signal,
  onEvent: (event: ModelEvent) => void = () => {},
): Promise<Answer> {
  const events: ModelEvent[] = [];
  let error: unknown;
  try {
    for await (const event of client.stream(request, signal)) {
      events.push(event);
      onEvent(event);
    }
  } catch (thrown) {
    error = thrown;
  }
  return { ...summary(events), ...(error === undefined ? {} : { error }) };
}

/** What the events add up to. */
export function summary(events: readonly ModelEvent[]): Answer {
  const joined = (type: "text" | "thinking" | "refusal") =>
    events.map((event) => event.type === type ? event.text : "").join("");
  const usage = events.find((event) => event.type === "usage")?.usage;
  const stop = events.find((event) => event.type === "stop");
  return {
    events,
    text: joined("text"),
    thinking: joined("thinking"),
    refusal: joined("refusal"),
    calls: events.filter((event) => event.type === "tool_call").map(({ name, arguments: given, malformed }) => ({
      name,
      arguments: given,
      ...(malformed === undefined ? {} : { malformed }),
    })),
    ...(usage === undefined ? {} : { usage }),
    ...(stop === undefined ? {} : { stop: stop.reason, providerReason: stop.provider_reason }),
  };
}

/** The kind of a model error, or what else it was. */
export function kindOf(error: unknown): string {
  return error instanceof Error ? (error as ModelError).kind ?? error.name : typeof error;
}
