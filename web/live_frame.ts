/**
 * The frames of the live socket: what a client may say, and how an operation is written.
 *
 * @module
 */
import { z } from "zod";
import type { LogOperation } from "../core/log/mod.ts";
import { inputErrors, requireWords } from "./problem.ts";

/** The longest frame that is read, in UTF-16 code units: 1 MiB of plain text. */
export const MAX_FRAME_LENGTH = 1024 * 1024;
/** A catching-up `entries` frame is cut about here, so that a long conversation does not stand in the way. */
const PIECE_LENGTH = 256 * 1024;

const cursor = z.number().int().min(0).default(0);

const clientFrame = z.discriminatedUnion("op", [
  z.object({ op: z.literal("watch"), conversation: z.string().min(1).max(100), after: cursor }),
  z.object({ op: z.literal("unwatch"), conversation: z.string() }),
  z.object({ op: z.literal("watch_graph"), graph: z.string(), after: cursor }),
  z.object({ op: z.literal("ping") }),
  z.object({ op: z.literal("pong") }),
]);

/** What a client says. */
export type ClientFrame = z.output<typeof clientFrame>;

/** What came in, read: a frame, or what is wrong with it as a sentence. */
export function readFrame(data: unknown): ClientFrame | { readonly op: "bad"; readonly detail: string } {
  if (typeof data !== "string") return bad("Send JSON as a text frame, not a binary one");
  if (data.length > MAX_FRAME_LENGTH) return bad("The frame is over 1 MiB: send less at once");
  let value: unknown;
  try {
    value = JSON.parse(data);
  } catch {
    return bad("The frame is not valid JSON");
  }
  const parsed = clientFrame.safeParse(value, requireWords);
  if (parsed.success) return parsed.data;
  const [first] = inputErrors(parsed.error);
  if (!first || first.path === "" || first.path === "op") {
    return bad('The frame needs an "op": "watch", "unwatch", "watch_graph" or "ping"');
  }
  return bad(`${first.path}: ${first.message}`);
}

function bad(detail: string): { readonly op: "bad"; readonly detail: string } {
  return { op: "bad", detail };
}

/**
 * An operation as frames: one, but for a long `entries`, which is cut into pieces. `last_seq` of each piece is as far as a
 * client has everything once it holds that piece, so it may be cut off after any of them. `after` is the client's cursor.
 */
export function writeFrames(operation: LogOperation, after = 0): readonly string[] {
  if (operation.op !== "entries" || operation.items.length < 2) return [JSON.stringify(operation)];
  const { conversation, items, last_seq } = operation;
  const frames: string[] = [];
  const head = `{"op":"entries","conversation":${JSON.stringify(conversation)},"items":[`;
  let piece: string[] = [];
  let length = 0;
  for (const [at, item] of items.entries()) {
    const text = JSON.stringify(item);
    piece.push(text);
    length += text.length;
    const isLast = at === items.length - 1;
    if (length < PIECE_LENGTH && !isLast) continue;
    const reached = isLast ? last_seq : Math.max(Math.min(after, last_seq), item.seq);
    frames.push(`${head}${piece.join(",")}],"last_seq":${reached}}`);
    piece = [];
    length = 0;
  }
  return frames;
}
