/**
 * The product under measurement: a server in a process of its own, with what a bench needs to talk to it.
 *
 * @module
 */
import { join } from "node:path";
import { type Served, serveMalama, withHome } from "../tests/cli/product.ts";
import { LiveConnection } from "../cli/live_connection.ts";
import { type LiveOperation, Wire } from "../cli/wire.ts";

/** One agent with the calculator, and nothing that asks the model or the disk for more than the bench does. */
const CONFIG = `
[assistant]
generate_titles = false
capture_requests = false

[agents.assistant]
[agents.assistant.tools]
available = ["compute"]
`;

export interface Subject {
  readonly served: Served;
  readonly home: string;
  readonly wire: Wire;
}

export interface SubjectOptions {
  /** Model string; the demonstration by default. */
  readonly model?: string;
  /** Instead of the usual one. */
  readonly config?: string;
  /** Fills the home folder before the server starts. */
  readonly prepare?: (home: string) => Promise<void>;
}

/** Starts a server, measures, stops it. */
export async function withSubject<T>(options: SubjectOptions, measure: (subject: Subject) => Promise<T>): Promise<T> {
  let result: T | undefined;
  await withHome(async (home) => {
    await Deno.writeTextFile(join(home, "config.toml"), options.config ?? CONFIG);
    await options.prepare?.(home);
    const served = await serveMalama({ home }, options.model === undefined ? [] : ["--model", options.model]);
    const address = { url: served.url, token: served.token };
    try {
      result = await measure({ served, home, wire: new Wire(address, () => Promise.resolve(address)) });
    } finally {
      await served.stop();
    }
  });
  return result as T;
}

/** A live socket that tells each operation to `hear`; it is open when this resolves. */
export async function openLive(
  { wire }: Subject,
  hear: (operation: LiveOperation) => void,
): Promise<LiveConnection> {
  const opened = Promise.withResolvers<void>();
  const live = new LiveConnection({
    connect: () => Promise.resolve(wire.socket()),
    listener: {
      opened: () => opened.resolve(),
      operation: hear,
      lost: () => opened.reject(new Error("The live socket was lost")),
    },
  });
  await opened.promise;
  return live;
}

/** A new conversation, watched on the socket. */
export async function newConversation({ wire }: Subject, live: LiveConnection): Promise<string> {
  const { id } = await wire.post<{ readonly id: string }>("/api/conversations");
  live.send({ op: "watch", conversation: id, after: 0 });
  return id;
}

/** Sends a message. */
export async function say({ wire }: Subject, conversation: string, text: string): Promise<void> {
  await wire.post(`/api/conversations/${conversation}/messages`, { text, token: crypto.randomUUID() });
}

/** A cookie of a browser that has signed in. */
export async function signIn({ served, wire }: Subject): Promise<string> {
  const { url } = await wire.post<{ readonly url: string }>("/api/login-codes");
  const response = await fetch(url, { redirect: "manual" });
  await response.body?.cancel();
  const cookie = response.headers.get("set-cookie")?.split(";")[0];
  if (cookie === undefined) throw new Error(`${served.url} gave no cookie`);
  return cookie;
}
