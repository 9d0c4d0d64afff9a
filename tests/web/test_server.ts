import { join } from "node:path";
import type { Config } from "../../core/config/mod.ts";
import { type RunningServer, serve, type ServeOptions } from "../../web/serve.ts";
import { type FakeAssistant, fakeAssistant } from "./fake_assistant.ts";

/** A server on a free port, with what a test asks of it. */
export interface TestServer {
  readonly assistant: FakeAssistant;
  readonly server: RunningServer;
  readonly token: string;
  readonly dataDir: string;
  /** What was reported. */
  readonly reports: string[];
  /** Asks with the token. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** Asks with the token and a JSON body. */
  send(method: string, path: string, body?: unknown): Promise<Response>;
  /** Bytes over a socket of its own, for what `fetch` will not send. Gives the whole answer, headers included. */
  raw(text: string): Promise<string>;
  /** A cookie header of a fresh session. */
  signIn(): Promise<string>;
}

export interface TestServerOptions {
  readonly web?: Partial<Config["web"]>;
  readonly serve?: Partial<ServeOptions>;
  /** Leaves the start unfinished. */
  readonly isStarting?: boolean;
}

/** Runs a test against a real server and puts everything away afterwards. */
export async function withServer(
  run: (server: TestServer) => Promise<void>,
  options: TestServerOptions = {},
): Promise<void> {
  const dataDir = await Deno.makeTempDir();
  const assistant = await fakeAssistant(dataDir, options.web);
  if (!options.isStarting) assistant.makeReady();
  const reports: string[] = [];
  const server = await serve({
    assistant,
    report: (level, subsystem, message) => reports.push(`${level} ${subsystem} ${message}`),
    tokenLookMs: 20,
    ...options.serve,
  });
  const token = (await Deno.readTextFile(join(dataDir, "token"))).trim();
  try {
    const ask = (path: string, init: RequestInit = {}) => {
      const headers = new Headers(init.headers);
      if (!headers.has("authorization")) headers.set("authorization", `Bearer ${token}`);
      return fetch(`${server.url}${path}`, { redirect: "manual", ...init, headers });
    };
    await run({
      assistant,
      server,
      token,
      dataDir,
      reports,
      fetch: ask,
      send: (method, path, body) =>
        ask(path, {
          method,
          ...body !== undefined && { body: JSON.stringify(body), headers: { "content-type": "application/json" } },
        }),
      raw: (text) => rawRequest(server.port, text),
      signIn: () => signIn(server, dataDir),
    });
  } finally {
    await server.close();
    await assistant.close();
    await Deno.remove(dataDir, { recursive: true });
  }
}

/** Status of a raw answer. */
export function statusOf(answer: string): number {
  return Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]);
}

/** Sends bytes and reads one answer: to its end by length, to the last chunk, or until the server closes. */
export async function rawRequest(port: number, text: string): Promise<string> {
  using connection = await Deno.connect({ hostname: "127.0.0.1", port });
  const bytes = new TextEncoder().encode(text);
  for (let sent = 0; sent < bytes.length;) sent += await connection.write(bytes.subarray(sent));
  let answer = "";
  const piece = new Uint8Array(64 * 1024);
  const decoder = new TextDecoder();
  while (!isWhole(answer)) {
    const read = await connection.read(piece);
    if (read === null) break;
    answer += decoder.decode(piece.subarray(0, read), { stream: true });
  }
  return answer;
}

function isWhole(answer: string): boolean {
  const end = answer.indexOf("\r\n\r\n");
  if (end < 0) return false;
  const length = /^content-length: (\d+)/im.exec(answer.slice(0, end))?.[1];
  if (length !== undefined) return new TextEncoder().encode(answer.slice(end + 4)).length >= Number(length);
  return answer.endsWith("\r\n0\r\n\r\n") || /^HTTP\/1\.1 (?:101|204|304)/.test(answer);
}

async function signIn(server: RunningServer, dataDir: string): Promise<string> {
  const token = await Deno.readTextFile(join(dataDir, "token"));
  const made = await fetch(`${server.url}/api/login-codes`, {
    method: "POST",
    headers: { authorization: `Bearer ${token.trim()}` },
  });
  const { url } = await made.json();
  const answer = await fetch(url, { redirect: "manual" });
  await answer.body?.cancel();
  return (answer.headers.get("set-cookie") ?? "").split(";")[0]!;
}
