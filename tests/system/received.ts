/**
 * What a provider was sent, read back from each protocol's body: the calls and their results, in order.
 *
 * @module
 */
import { at, listAt, type Protocol, textAt } from "../providers/mod.ts";

/** A call or a result as it stands in a body. `id` is empty where the protocol has none. */
export interface Received {
  readonly id: string;
  /** Empty where a result does not repeat the tool's name. */
  readonly name: string;
  /** A call's arguments, or a result's text. */
  readonly value: unknown;
}

/** The calls of a body and the results it holds, each in order. */
export function readBody(
  protocol: Protocol,
  body: unknown,
): { readonly calls: readonly Received[]; readonly results: readonly Received[] } {
  switch (protocol) {
    case "openai-chat":
      return {
        calls: listAt(body, "messages").flatMap((message) => listAt(message, "tool_calls")).map((call) => ({
          id: textAt(call, "id"),
          name: textAt(call, "function", "name"),
          value: JSON.parse(textAt(call, "function", "arguments")),
        })),
        results: withRole(body).map((message) => received(message, "tool_call_id", "name", "content")),
      };
    case "openai-responses":
      return {
        calls: ofType(listAt(body, "input"), "function_call").map((call) => ({
          ...received(call, "call_id", "name", ""),
          value: JSON.parse(textAt(call, "arguments")),
        })),
        results: ofType(listAt(body, "input"), "function_call_output").map((result) =>
          received(result, "call_id", "", "output")
        ),
      };
    case "anthropic": {
      const parts = listAt(body, "messages").flatMap((message) => listAt(message, "content"));
      return {
        calls: ofType(parts, "tool_use").map((call) => received(call, "id", "name", "input")),
        results: ofType(parts, "tool_result").map((result) => received(result, "tool_use_id", "", "content")),
      };
    }
    case "ollama":
      return {
        calls: listAt(body, "messages").flatMap((message) => listAt(message, "tool_calls")).map((call) => ({
          id: textAt(call, "id"),
          name: textAt(call, "function", "name"),
          value: at(call, "function", "arguments"),
        })),
        results: withRole(body).map((message) => received(message, "tool_call_id", "tool_name", "content")),
      };
    case "google": {
      const parts = listAt(body, "contents").flatMap((content) => listAt(content, "parts"));
      return {
        calls: parts.flatMap((part) => at(part, "functionCall") ?? []).map((call) =>
          received(call, "id", "name", "args")
        ),
        results: parts.flatMap((part) => at(part, "functionResponse") ?? []).map((result) => ({
          ...received(result, "id", "name", ""),
          value: at(result, "response", "output"),
        })),
      };
    }
    default:
      return protocol satisfies never;
  }
}

function received(from: unknown, id: string, name: string, value: string): Received {
  return { id: textAt(from, id), name: textAt(from, name), value: at(from, value) };
}

function withRole(body: unknown): readonly unknown[] {
  return listAt(body, "messages").filter((message) => at(message, "role") === "tool");
}

function ofType(parts: readonly unknown[], type: string): readonly unknown[] {
  return parts.filter((part) => at(part, "type") === type);
}
