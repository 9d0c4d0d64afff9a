/**
 * `demo:echo`: says back the newest message, word by word.
 *
 * @module
 */
import type { ModelRequest } from "../contract.ts";
import type { Play } from "./playback.ts";

/** The newest user message, as the answer to it. */
export function echo(request: ModelRequest): Play {
  const newest = request.messages.findLast((message) => message.role === "user");
  return { parts: [{ type: "text", text: newest?.role === "user" && newest.text !== "" ? newest.text : "(nothing)" }] };
}
