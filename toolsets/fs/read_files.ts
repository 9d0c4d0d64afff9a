/**
 * Which files an agent has read in a conversation, and how they were then: what is there may only be replaced by who knows it
 * (T-149).
 *
 * In memory alone: after a restart a file has to be read again, which is safe.
 *
 * @module
 */

/** Conversations that are remembered. */
const MOST_READERS = 200;

/** A file as it was. */
interface Seen {
  readonly modified: number;
  readonly size: number;
}

const readers = new Map<string, Map<string, Seen>>();

/** Who reads: an agent in a conversation. */
export interface Reader {
  readonly conversation: string;
  readonly agent: string;
}

/** Notes that a file was read or written as it is now. */
export async function noteRead(reader: Reader, path: string): Promise<void> {
  const key = keyOf(reader);
  const files = readers.get(key) ?? new Map<string, Seen>();
  files.set(path, await look(path));
  readers.delete(key);
  readers.set(key, files);
  const oldest = readers.keys().next().value;
  if (readers.size > MOST_READERS && oldest !== undefined) readers.delete(oldest);
}

/** What keeps a file from being replaced: never read, or changed since. */
export async function whyNotReplace(reader: Reader, path: string): Promise<"unread" | "changed" | null> {
  const seen = readers.get(keyOf(reader))?.get(path);
  if (seen === undefined) return "unread";
  const now = await look(path);
  return now.modified === seen.modified && now.size === seen.size ? null : "changed";
}

async function look(path: string): Promise<Seen> {
  const { mtime, size } = await Deno.stat(path);
  return { modified: mtime?.getTime() ?? 0, size };
}

function keyOf({ conversation, agent }: Reader): string {
  return JSON.stringify([conversation, agent]);
}
