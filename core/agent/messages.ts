/**
 * From the log's context to a model's messages: the one place where provider messages are made.
 *
 * Invariants (tests/core/agent/messages_test.ts)
 * 1. The pictures of the message that is being answered are always sent; of all others the newest, within the model's limits,
 *    and where one is left out a line of text says so.
 * 2. A text file is given whole, in a fence that nothing in it can end.
 *
 * @module
 */
import type { ContextMessage, Entry, FileRef, ImageRef } from "../log/mod.ts";
import type { ImageLimits, ModelImage, ModelInfo, ModelMessage } from "../model/mod.ts";
import type { Blobs } from "../storage/mod.ts";

/** How much of a context a request may hold. */
export interface MessageLimits {
  /** Absent: every picture is sent. */
  readonly limits?: ImageLimits | undefined;
  /** How many messages, from the first, are of earlier turns; default all. */
  readonly history?: number;
}

/** At most so many pictures that are left out are named. */
const NAMED = 8;

/** Loads the pictures and files a context refers to; one that is gone gets a line of text. The codec leaves out what a model cannot see. */
export async function toModelMessages(
  context: readonly ContextMessage[],
  blobs: Blobs,
  { limits, history = context.length }: MessageLimits = {},
): Promise<ModelMessage[]> {
  const sent = choosePictures(context, limits, history);
  const messages: ModelMessage[] = [];
  for (const [index, message] of context.entries()) {
    if (message.role === "assistant") {
      messages.push({ role: "assistant", parts: message.parts });
      continue;
    }
    const { images, lines } = await loadImages(message.images, sent[index] ?? [], blobs);
    const pictures = images.length > 0 ? { images } : {};
    if (message.role === "user") {
      const files = await Promise.all((message.files ?? []).map((file) => fileText(file, blobs)));
      const text = [message.text, ...files, ...lines].filter((part) => part).join(files.length > 0 ? "\n\n" : "\n");
      messages.push({ role: "user", text, ...pictures });
    } else {
      const { call, name, failed } = message;
      messages.push({ role: "tool", call, name, result: [message.result, ...lines].join("\n"), failed, ...pictures });
    }
  }
  return messages;
}

/** Which pictures of each message are sent: those of the message being answered, then the newest, while there is room. */
export function choosePictures(
  context: readonly ContextMessage[],
  limits: ImageLimits | undefined,
  history: number,
): readonly (readonly boolean[])[] {
  const room = { count: limits?.count ?? Infinity, bytes: limits?.bytes ?? Infinity };
  const take = ({ bytes }: ImageRef) => {
    room.count--;
    room.bytes -= bytes;
    return true;
  };
  const isAnswered = (message: ContextMessage, index: number) => message.role === "user" && index >= history;
  const chosen = context.map((message, index) =>
    message.role === "assistant" ? [] : message.images.map((image) => isAnswered(message, index) && take(image))
  );
  let isFull = false;
  for (const [index, message] of [...context.entries()].reverse()) {
    if (message.role === "assistant" || isAnswered(message, index)) continue;
    for (const [n, image] of [...message.images.entries()].reverse()) {
      // What is older than the first that found no room stays out too: the newest are sent, not the smallest.
      isFull ||= room.count < 1 || room.bytes < image.bytes;
      if (!isFull) chosen[index]![n] = take(image);
    }
  }
  return chosen;
}

async function loadImages(
  refs: readonly ImageRef[],
  sent: readonly boolean[],
  blobs: Blobs,
): Promise<{ images: ModelImage[]; lines: string[] }> {
  const images: ModelImage[] = [];
  const lines: string[] = [];
  const left = refs.filter((_, index) => !sent[index]);
  for (const { ref, name, media_type } of refs.filter((_, index) => sent[index])) {
    const blob = await blobs.get(ref.slice("/images/".length));
    if (blob) images.push({ media_type, data: blob.bytes, name });
    else lines.push(`[a picture, ${name}, was attached and can no longer be read]`);
  }
  return { images, lines: left.length > 0 ? [...lines, leftOut(left)] : lines };
}

function leftOut(images: readonly ImageRef[]): string {
  const named = images.slice(0, NAMED).map(({ name }) => name).join(", ");
  const more = images.length > NAMED ? ` and ${images.length - NAMED} more` : "";
  const subject = images.length === 1 ? "a picture was" : `${images.length} pictures were`;
  return `[${subject} here and ${images.length === 1 ? "is" : "are"} not sent again, to keep room: ${named}${more}]`;
}

async function fileText({ ref, name, bytes }: FileRef, blobs: Blobs): Promise<string> {
  const blob = await blobs.get(ref.slice("/payloads/".length));
  if (!blob) return `[a file, ${name}, was attached and can no longer be read]`;
  const text = new TextDecoder().decode(blob.bytes);
  const fence = fenceFor(text);
  return `Attached file ${JSON.stringify(name)}, ${bytes} bytes:\n${fence}\n${text}${
    text.endsWith("\n") ? "" : "\n"
  }${fence}`;
}

/** Backticks, one more than the longest run of them in the text, and at least three. */
function fenceFor(text: string): string {
  const longest = (text.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 2);
  return "`".repeat(longest + 1);
}

/** What the person is told of a turn whose pictures its model cannot see; `null` where there is nothing to tell. */
export function unseenPictures(said: readonly Entry[], model: Pick<ModelInfo, "images" | "id">): string | null {
  const count = said.reduce((sum, entry) => entry.kind === "user" ? sum + entry.data.images.length : sum, 0);
  if (model.images || count === 0) return null;
  const pictures = count === 1 ? "The picture was" : `The ${count} pictures were`;
  return `${pictures} left out: ${model.id} is not known to see pictures. Choose a model that does, and send it again`;
}
