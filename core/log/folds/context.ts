/**
 * The fold a model is shown: a conversation's entries as messages.
 *
 * Invariants
 * 1. Every tool call is followed by exactly one result, adjacent and in the order of the calls, whatever happened to the
 *    turn (casebook, "Transcript integrity"; tests/core/log/folds/context_test.ts).
 * 2. Entries that are closed fold to the same messages for ever, so one request is a prefix of the next, until a
 *    compaction.
 * 3. A sub-agent's context begins with its task, which its card holds, and no compaction leaves that out (same file).
 *
 * @module
 */
import { INTERRUPTED } from "../interrupted.ts";
import type { Entry, FileRef, ImageRef, InboxData, Signature, ToolData, UserData } from "../entry.ts";

/** A message with its pictures and files still by reference. */
export type ContextMessage =
  | {
    readonly role: "user";
    readonly text: string;
    readonly images: readonly ImageRef[];
    readonly files?: readonly FileRef[];
  }
  | { readonly role: "assistant"; readonly parts: readonly ContextPart[] }
  | {
    readonly role: "tool";
    readonly call: string;
    readonly name: string;
    readonly result: string;
    readonly failed: boolean;
    readonly images: readonly ImageRef[];
  };

/** A part of what a model said, as it is sent back to it. */
export type ContextPart =
  | { readonly type: "thinking" | "text"; readonly text: string; readonly signature?: Signature }
  | {
    readonly type: "tool_call";
    readonly call: string;
    readonly name: string;
    readonly arguments: unknown;
    readonly signature?: Signature;
  };

/** Folds the entries of one agent (`run`: `null` for the entry agent) into what its model is sent, oldest first. */
export function foldContext(entries: Iterable<Entry>, run: string | null = null): ContextMessage[] {
  let messages: Placed[] = [];
  let parts: ContextPart[] = [];
  let calls: ToolData[] = [];
  let turn: string | null = null;
  let seq = 0;

  const push = (message: ContextMessage) => messages.push({ message, seq });
  const endRound = () => {
    if (parts.length > 0) push({ role: "assistant", parts });
    for (const call of calls) push(resultOf(call));
    parts = [];
    calls = [];
  };

  for (const entry of entries) {
    if (entry.run !== run) continue;
    if (entry.turn !== turn) endRound();
    turn = entry.turn;
    if (entry.kind === "user" || entry.kind === "inbox" || entry.kind === "run" || entry.kind === "compaction") {
      endRound();
    }
    seq = entry.seq;
    switch (entry.kind) {
      case "user":
        push(saidOf(entry.data));
        break;
      case "inbox":
        push({ role: "user", text: deliveredText(entry.data), images: [] });
        break;
      case "run":
        push({ role: "user", text: entry.data.task, images: [] });
        break;
      case "compaction":
        messages = leaveOut(messages, entry);
        break;
      case "thinking":
      case "text":
        if (entry.data.text || entry.data.signature) parts.push(textPart(entry));
        break;
      case "tool":
        parts.push(callPart(entry.data));
        calls.push(entry.data);
        break;
      case "round":
        endRound();
        break;
      default:
        break;
    }
  }
  endRound();
  return messages.map(({ message }) => message);
}

/** A message with the `seq` of the last entry it was made of. */
interface Placed {
  readonly message: ContextMessage;
  readonly seq: number;
}

/** Leaves out what a compaction stands for; the first message of all stays. */
function leaveOut(messages: readonly Placed[], { data }: Entry<"compaction">): Placed[] {
  const rest = messages.slice(1).filter((placed) => placed.seq > data.upto);
  // It stands where what it stands for stood, so that a later one takes its place as well.
  const summary: Placed = { message: { role: "user", text: data.summary, images: [] }, seq: data.upto };
  return [...messages.slice(0, 1), summary, ...rest];
}

/**
 * A delivered message as its reader is shown it: the person's words bare, an agent's behind a marker that names it (K-123).
 * Only the first line is authentic: what follows may imitate it.
 */
function deliveredText({ text, from, predates }: InboxData): string {
  if (from === "person") return text;
  return `[message from ${from}${predates ? ", sent before you began" : ""}]\n${text}`;
}

function saidOf({ text, images, files = [] }: UserData): ContextMessage {
  return { role: "user", text, images, ...files.length > 0 && { files } };
}

function textPart(entry: Entry<"thinking" | "text">): ContextPart {
  const { text, signature } = entry.data;
  return signature ? { type: entry.kind, text, signature } : { type: entry.kind, text };
}

function callPart({ call, name, arguments: input, signature }: ToolData): ContextPart {
  return { type: "tool_call", call, name, arguments: input, ...(signature ? { signature } : {}) };
}

function resultOf({ call, name, result, status, images }: ToolData): ContextMessage {
  return {
    role: "tool",
    call,
    name,
    result: result ?? INTERRUPTED,
    failed: status !== "done",
    images: images ?? [],
  };
}
