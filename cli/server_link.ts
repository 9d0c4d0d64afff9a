/**
 * Finding the server that holds a data folder, as a program on the same machine may: its address is noted in the folder's
 * lock, and the token that opens it lies beside it.
 *
 * @module
 */
import { join } from "node:path";
import { readLock } from "../core/storage/mod.ts";
import { NotConnected, type ServerAddress } from "./wire.ts";

/** How long a server that is starting is waited for, and how often it is looked at, in milliseconds. */
const PATIENCE = 10_000;
const LOOK_EVERY = 50;

/** A server that runs, though it may not listen yet. */
export interface RunningServer {
  readonly pid: number;
  /** Where it is; waits for one that is starting. Throws `NotConnected` when it ends or never listens. */
  readonly address: () => Promise<ServerAddress>;
}

/** The server that holds the folder now, or `null`. */
export async function findServer(dataDir: string, patience = PATIENCE): Promise<RunningServer | null> {
  const note = await readLock(dataDir);
  if (note === null) return null;
  return { pid: note.pid, address: () => addressOf(dataDir, patience) };
}

async function addressOf(dataDir: string, patience: number): Promise<ServerAddress> {
  for (let waited = 0; waited <= patience; waited += LOOK_EVERY) {
    const note = await readLock(dataDir);
    if (note === null) break;
    if (note.url !== undefined) return { url: note.url.replace(/\/+$/, ""), token: await readToken(dataDir) };
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY));
  }
  throw new NotConnected(dataDir);
}

/** The token, or nothing where there is none (`[web] auth = "none"`). */
export async function readToken(dataDir: string): Promise<string> {
  try {
    return (await Deno.readTextFile(join(dataDir, "token"))).trim();
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return "";
    throw error;
  }
}
