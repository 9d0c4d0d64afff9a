/**
 * What a fake provider answers, said once for all five protocols.
 *
 * @module
 */

/** The five wire protocols. */
export type Protocol = "openai-chat" | "openai-responses" | "anthropic" | "ollama" | "google";

/** All of them, for table-driven tests. */
export const PROTOCOLS: readonly Protocol[] = ["openai-chat", "openai-responses", "anthropic", "ollama", "google"];

/** One tool call of an answer. */
export interface FakeCall {
  /** Default: a unique one where the protocol has ids of its own (not Ollama and Gemini). `null` sends none. */
  readonly id?: string | null;
  readonly name: string;
  readonly arguments?: unknown;
  /** The arguments' text instead, for text that is not JSON. Ollama sends it as a string; Gemini has no such thing. */
  readonly raw?: string;
  /** Opaque data of the call (Gemini only). */
  readonly signature?: string;
}

/** What the provider says it used. */
export interface FakeUsage {
  /** All input, cached included. */
  readonly input: number;
  /** All output, thinking included. */
  readonly output: number;
  readonly cached?: number;
  readonly reasoning?: number;
}

/** How an answer goes wrong. */
export type FakeFault =
  /** An error of the provider's own kind inside the stream. */
  | "overloaded"
  /** The body ends properly, but the answer has no finish. */
  | "eof"
  /** The connection breaks. */
  | "reset"
  /** Nothing more comes, and the connection stays. */
  | "stall"
  /** A frame that is not JSON. */
  | "malformed";

/** One answer. Thinking comes first, then text, then calls. */
export interface Reply {
  /** A list is sent piece by piece as given; a text is cut into words. */
  readonly thinking?: string | readonly string[];
  /** Opaque data that signs the thinking, where the protocol has such; default `signed`. */
  readonly signature?: string;
  readonly text?: string | readonly string[];
  /** More than one are sent in alternating pieces, unless `sequential`. */
  readonly toolCalls?: readonly FakeCall[];
  readonly sequential?: boolean;
  /** The answer is declined with these words. */
  readonly refusal?: string;
  /** The message itself was blocked (Gemini's own way to refuse; elsewhere like `refusal`). */
  readonly blocked?: boolean;
  /** Default `{ input: 11, output: 7 }`; `null` sends none. */
  readonly usage?: FakeUsage | null;
  /** Default `end`. */
  readonly finish?: "end" | "length";
  /** An HTTP status instead of an answer. */
  readonly status?: {
    readonly code: number;
    readonly headers?: Readonly<Record<string, string>>;
    readonly message?: string;
    /** The whole body instead of an error of the provider's own shape. */
    readonly body?: string;
  };
  readonly fault?: FakeFault;
  /** Frames before the fault. Default: before the finish; for `overloaded` none. */
  readonly faultAfter?: number;
  /** The connection is closed, or left silent, before any answer. */
  readonly silence?: "close" | "stall";
  /** Cuts the bytes into pieces of this size, in the middle of characters too. */
  readonly chunkBytes?: number;
  /** Milliseconds before each frame. */
  readonly delayMs?: number;
  /** Awaited before each frame is written, counted from 0. */
  readonly gate?: (frame: number) => Promise<void> | void;
  /** Leaves out the last frame's end mark. */
  readonly unterminated?: boolean;
  /** Keeps the connection open after the last frame, without ending the body. */
  readonly lingering?: boolean;
}

/** A request as the server received it. */
export interface FakeRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Headers;
  /** The exact text. */
  readonly body: string;
  /** The body, parsed; `at()` looks into it. */
  readonly json: unknown;
  /** Resolves when the connection is gone, with the side that ended it. */
  readonly closed: Promise<"client" | "server">;
}

/** The answers in order, one a request; or a function of the request and how many came before it. */
export type Script = readonly Reply[] | ((request: FakeRequest, index: number) => Reply);

/** The frames of an answer: what it says, and how it ends. */
export interface Frames {
  readonly content: readonly string[];
  readonly finish: readonly string[];
}

/** One protocol, from the server's side. */
export interface FakeProtocol {
  readonly contentType: string;
  /** The provider's name in a model string. */
  readonly provider: string;
  /** What the address ends with. */
  readonly base: string;
  /** Whether a request for an answer goes to this path. */
  accepts(path: string): boolean;
  /** What a strict server would refuse about the body; `undefined` when it is well formed. */
  problemIn(json: unknown): string | undefined;
  frames(reply: Reply, turn: number): Frames;
  /** One frame with an error of the provider's own shape. */
  overloaded(): string;
  malformed(): string;
  /** The body of an error with a status. */
  errorBody(code: number, message: string): unknown;
}

/** A text as the pieces it is streamed in. */
export function pieces(text: string | readonly string[] | undefined): readonly string[] {
  if (text === undefined) return [];
  return typeof text === "string" ? text.match(/\s*\S+\s*$|\s*\S+/gu) ?? (text === "" ? [] : [text]) : text;
}

/** A call's arguments as text. */
export function argumentText(call: FakeCall): string {
  return call.raw ?? JSON.stringify(call.arguments ?? {});
}

/** Arguments in pieces of seven characters. */
export function argumentPieces(call: FakeCall): readonly string[] {
  return argumentText(call).match(/[\s\S]{1,7}/gu) ?? [];
}

/** The id of a call where the protocol gives one. */
export function idOf(call: FakeCall, turn: number, index: number): string | undefined {
  return call.id === null ? undefined : call.id ?? `fake_${turn}_${index}`;
}

/** Takes one of each list in turn until all are empty; or all of the first, then the next. */
export function alternate<T>(lists: readonly (readonly T[])[], sequential: boolean): readonly T[] {
  if (sequential) return lists.flat();
  const longest = Math.max(0, ...lists.map((list) => list.length));
  return Array.from({ length: longest }, (_, at) => lists.flatMap((list) => list.slice(at, at + 1))).flat();
}

/** The usage of a reply. */
export function usageOf(reply: Reply): FakeUsage | undefined {
  return reply.usage === null ? undefined : reply.usage ?? { input: 11, output: 7 };
}

/** One server-sent event; `name` is the `event:` line some protocols add. */
export function sse(data: unknown, name?: string): string {
  const text = typeof data === "string" ? data : JSON.stringify(data);
  return `${name === undefined ? "" : `event: ${name}\n`}data: ${text}\n\n`;
}
