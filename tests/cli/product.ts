/**
 * The product as a process of its own, with a home folder of its own: for tests from outside, and for the benches.
 *
 * @module
 */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import assert from "node:assert/strict";

const MAIN = fileURLToPath(new URL("../../main.ts", import.meta.url));

/** What must not leak in from whoever runs the tests: keys and settings. */
const FORGET = /^(?:MALAMA_|NO_COLOR$|FORCE_COLOR$|OLLAMA_HOST$)|_API_KEY$/;

export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface MalamaOptions {
  /** `MALAMA_HOME`. */
  readonly home: string;
  readonly stdin?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** V8 and Deno flags before `main.ts`. */
  readonly denoFlags?: readonly string[];
}

/** The command that runs the product with these arguments. */
export function malama(args: readonly string[], options: MalamaOptions, stdin: "piped" | "null"): Deno.Command {
  const env = Object.fromEntries(Object.entries(Deno.env.toObject()).filter(([name]) => !FORGET.test(name)));
  return new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", "--quiet", ...(options.denoFlags ?? []), MAIN, ...args],
    clearEnv: true,
    env: { ...env, MALAMA_HOME: options.home, MALAMA_MODEL: "demo:tour", ...options.env },
    stdin,
    stdout: "piped",
    stderr: "piped",
  });
}

/** Runs it to its end. */
export async function runMalama(args: readonly string[], options: MalamaOptions): Promise<Ended> {
  const child = malama(args, options, "piped").spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(options.stdin ?? "")).catch(() => {});
  await writer.close().catch(() => {});
  const { code, stdout, stderr } = await child.output();
  const decoder = new TextDecoder();
  return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}

/** A server that runs and said where. */
export interface Served {
  readonly url: string;
  readonly loginUrl: string;
  readonly token: string;
  readonly pid: number;
  /** All that was printed on stdout so far. */
  readonly printed: () => string;
  readonly kill: (signal: Deno.Signal) => void;
  readonly ended: Promise<Ended>;
  /** Stops it with SIGTERM and waits for its end. */
  stop(): Promise<Ended>;
}

/** Starts `serve` on a free port and waits until it has printed its login link. */
export async function serveMalama(options: MalamaOptions, args: readonly string[] = []): Promise<Served> {
  const child = malama(["serve", "--port", "0", ...args], options, "null").spawn();
  let stdout = "";
  let stderr = "";
  const ready = Promise.withResolvers<void>();
  const out = gather(child.stdout, (text) => {
    stdout += text;
    if (stdout.includes("Ctrl-C")) ready.resolve();
  });
  const err = gather(child.stderr, (text) => stderr += text);
  const ended = Promise.all([child.status, out, err]).then(([{ code }]) => ({ code, stdout, stderr }));
  ended.then(() => ready.reject(new Error(`serve ended early: ${stdout}${stderr}`)));
  await ready.promise;
  const url = /Address +(\S+)/.exec(stdout)?.[1];
  assert.ok(url, stdout);
  const kill = (signal: Deno.Signal) => {
    try {
      child.kill(signal);
    } catch {
      // It has ended already.
    }
  };
  return {
    url,
    loginUrl: /Open +(\S+)/.exec(stdout)?.[1] ?? "",
    token: (await Deno.readTextFile(join(options.home, "data", "token"))).trim(),
    pid: child.pid,
    printed: () => stdout,
    kill,
    ended,
    stop() {
      kill("SIGTERM");
      return ended;
    },
  };
}

/** Runs a test in a home folder of its own. */
export async function withHome(run: (home: string) => Promise<void>): Promise<void> {
  const home = await Deno.makeTempDir({ prefix: "malama-test-" });
  try {
    await run(home);
  } finally {
    await Deno.remove(home, { recursive: true });
  }
}

/** Runs a test against a server of its own. */
export async function withServer(run: (served: Served, home: string) => Promise<void>): Promise<void> {
  await withHome(async (home) => {
    const served = await serveMalama({ home });
    try {
      await run(served, home);
    } finally {
      await served.stop();
    }
  });
}

async function gather(stream: ReadableStream<Uint8Array<ArrayBuffer>>, take: (text: string) => void): Promise<void> {
  for await (const text of stream.pipeThrough(new TextDecoderStream())) take(text);
}
