/**
 * What the storage tests share: a store in a folder of its own, a few rows, and a page of the file to spoil.
 *
 * @module
 */
import { createClient } from "@libsql/client";
import { join } from "node:path";
import { Engine, type EngineOptions } from "../../../core/storage/engine.ts";
import type { Statement, Storage } from "../../../core/storage/mod.ts";
import { openStorage } from "../../../core/storage/mod.ts";

export const MIDDAY = new Date("2026-03-01T12:00:00Z");

/** Runs `body` with a new folder and removes it afterwards. */
export async function withFolder(body: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "malama-storage-" });
  try {
    await body(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Runs `body` with a store in a new folder, closes it and removes the folder. */
export function withStorage(body: (storage: Storage, folder: string) => Promise<void>): Promise<void> {
  return withFolder(async (folder) => {
    const storage = await openStorage({ dataDir: folder });
    try {
      await body(storage, folder);
    } finally {
      await storage.close();
    }
  });
}

/** Opens the database of a folder without a worker or a lock. */
export function openEngine(folder: string, options: Partial<EngineOptions> = {}): Promise<Engine> {
  return Engine.open({ location: { kind: "file", path: join(folder, "malama.db") }, now: MIDDAY, ...options });
}

export function insertConversation(id: string): Statement {
  return {
    sql: `insert into conversations (id, title, title_kind, agent, created_at, updated_at)
      values (?, 'A title', 'given', 'assistant', '2026-03-01T12:00:00Z', '2026-03-01T12:00:00Z')`,
    args: [id],
  };
}

export interface SampleEntry {
  readonly conversation: string;
  readonly seq: number;
  readonly kind?: string;
  readonly state?: string;
  readonly text: string;
}

export function insertEntry({ conversation, seq, kind = "text", state = "done", text }: SampleEntry): Statement {
  return {
    sql: `insert into entries (conversation, seq, kind, state, at, touched, data)
      values (?, ?, ?, ?, '2026-03-01T12:00:00Z', ?, ?)`,
    args: [conversation, seq, kind, state, seq, JSON.stringify(kind === "user" ? { text, from: "person" } : { text })],
  };
}

/** The hashes of the stored files of a data folder, sorted. */
export async function blobNames(folder: string): Promise<readonly string[]> {
  const names: string[] = [];
  const root = join(folder, "blobs");
  const folders = await Array.fromAsync(Deno.readDir(root)).catch(() => []);
  for (const { name } of folders.filter((each) => each.name !== "unfinished")) {
    for await (const file of Deno.readDir(join(root, name))) names.push(name + file.name);
  }
  return names.sort();
}

/** Fills a folder's database with one conversation of `count` entries, every second of them spoken text, and closes it. */
export async function fillDatabase(folder: string, count: number): Promise<void> {
  const engine = await openEngine(folder);
  const entries = Array.from(
    { length: count },
    (_, seq) => insertEntry({ conversation: "c", seq, kind: seq % 2 === 0 ? "text" : "tool", text: sentence(seq) }),
  );
  await engine.write([[insertConversation("c"), ...entries]]);
  await engine.close();
}

/** Thirty words, the same for the same number; entry 0 says "word0", which no other one says. */
function sentence(seed: number): string {
  return [`word${seed}`, ...Array.from({ length: 29 }, (_, index) => `w${((seed + 1) * (index + 7919)) % 4099}`)].join(
    " ",
  );
}

/** Numbers of the pages that belong to the tables and indexes with these names, in a closed database. */
export async function pagesOf(folder: string, matches: (name: string) => boolean): Promise<readonly number[]> {
  const client = createClient({ url: `file:${join(folder, "malama.db")}` });
  try {
    const pages = await client.execute("select name, pageno from dbstat order by pageno");
    return pages.rows.filter((row) => matches(String(row.name))).map((row) => Number(row.pageno));
  } finally {
    client.close();
  }
}

/** Writes nonsense over one page of a closed database. */
export async function spoilPage(folder: string, page: number): Promise<void> {
  const bytes = await Deno.readFile(join(folder, "malama.db"));
  bytes.fill(0xa5, (page - 1) * PAGE_BYTES, page * PAGE_BYTES);
  await replaceDatabase(folder, bytes);
}

export const PAGE_BYTES = 4096;

/**
 * Puts another file in the database's place. A new file, not new content: libSQL keeps a closed file open until its
 * statements are collected, and what it remembers of the old one must not be taken for the new one.
 */
export async function replaceDatabase(folder: string, bytes: Uint8Array): Promise<void> {
  await Deno.writeFile(join(folder, "replacement"), bytes);
  await Deno.rename(join(folder, "replacement"), join(folder, "malama.db"));
  await Deno.remove(join(folder, "malama.db-shm")).catch(() => {});
}

/** Rejects when `promise` has not settled in time, so that a hang is a failure with a name. */
export async function within<T>(promise: Promise<T>, what: string, milliseconds = 20_000): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`Waited too long for ${what}`)), milliseconds);
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Starts a program of this folder in a process of its own; `lines` gives what it prints. */
export function startProgram(name: string, ...args: readonly string[]): {
  readonly child: Deno.ChildProcess;
  readonly lines: AsyncIterator<string>;
} {
  const root = join(import.meta.dirname ?? ".", "../../..");
  const child = new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "-A",
      "--no-check",
      "--config",
      join(root, "deno.json"),
      join(import.meta.dirname ?? ".", name),
      ...args,
    ],
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  return { child, lines: linesOf(child.stdout) };
}

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  let rest = "";
  const decoder = new TextDecoder();
  for await (const bytes of stream) {
    const parts = (rest + decoder.decode(bytes, { stream: true })).split("\n");
    rest = parts.pop() ?? "";
    yield* parts;
  }
}
