/**
 * Reads a document in a process of its own, because a parser that a hostile file drives out of memory takes its process along.
 *
 * Invariants (tests/toolsets/web/reader_test.ts)
 * 1. The process has no permissions, no environment but the place of its cache, and limits on time and memory.
 * 2. It has ended when the call ends, whichever way.
 *
 * @module
 */
import { fileURLToPath } from "node:url";
import type { HtmlReading } from "./html.ts";
import type { PdfPart, PdfReading } from "./pdf.ts";
import type { ReaderAnswer, ReaderTask } from "./reader_task.ts";

/** A document cannot be read; `message` is for the model. */
export class Unreadable extends Error {
  override readonly name = "Unreadable";
}

/** How long and how large a reading may be. */
export interface ReaderLimits {
  readonly timeoutMs: number;
  /** Of JavaScript's heap; what is outside of it has as much again. */
  readonly memoryMb: number;
}

const LIMITS: ReaderLimits = { timeoutMs: 20_000, memoryMb: 512 };

/** What a process needs to find the libraries it imports. */
const PASSED = ["DENO_DIR", "HOME", "XDG_CACHE_HOME", "NPM_CONFIG_REGISTRY", "DENO_CERT", "DENO_TLS_CA_STORE", "PATH"];

/** Reads a page. Throws `Unreadable`, and the signal's reason. */
export async function readHtmlApart(
  html: string,
  url: string,
  signal: AbortSignal,
  limits: ReaderLimits = LIMITS,
): Promise<HtmlReading> {
  const answer = await readApart({ kind: "html", html, url }, new Uint8Array(), signal, limits);
  if (answer.kind === "html") return answer.reading;
  throw new Unreadable("The page's HTML could not be read: get_webpage_html shows it as it is");
}

/** Reads pages of a PDF. Throws `Unreadable`, and the signal's reason. */
export async function readPdfApart(
  bytes: Uint8Array<ArrayBuffer>,
  part: PdfPart,
  signal: AbortSignal,
  limits: ReaderLimits = LIMITS,
): Promise<PdfReading> {
  const answer = await readApart({ kind: "pdf", part }, bytes, signal, limits);
  if (answer.kind === "pdf") return answer.reading;
  const isLocked = answer.kind === "failed" && answer.error === "PasswordException";
  throw new Unreadable(
    isLocked
      ? "The PDF is locked with a password and cannot be read: use another source"
      : "The file says that it is a PDF, but it is damaged and cannot be read: use another source",
  );
}

async function readApart(
  task: ReaderTask,
  bytes: Uint8Array<ArrayBuffer>,
  signal: AbortSignal,
  limits: ReaderLimits,
): Promise<ReaderAnswer> {
  signal.throwIfAborted();
  const child = start(limits);
  const end = () => {
    try {
      child.kill("SIGKILL");
    } catch (error) {
      // It has ended by itself.
      if (!(error instanceof TypeError || error instanceof Deno.errors.NotFound)) throw error;
    }
  };
  let isLate = false;
  const late = setTimeout(() => {
    isLate = true;
    end();
  }, limits.timeoutMs);
  signal.addEventListener("abort", end, { once: true });
  try {
    const input = new Blob([`${JSON.stringify(task)}\n`, bytes]).stream();
    // A process that ends early leaves its input unread; its output tells what happened.
    const [output] = await Promise.all([child.output(), input.pipeTo(child.stdin).catch(() => {})]);
    signal.throwIfAborted();
    if (isLate) {
      throw new Unreadable(`Reading it took longer than ${limits.timeoutMs / 1000} seconds: use another source`);
    }
    if (!output.success) throw new Unreadable("Reading it took more memory than there is for it: use another source");
    return JSON.parse(new TextDecoder().decode(output.stdout));
  } finally {
    clearTimeout(late);
    signal.removeEventListener("abort", end);
    end();
  }
}

function start(limits: ReaderLimits): Deno.ChildProcess {
  const { command, args, env } = readerCommand(limits, (name) => Deno.env.get(name));
  return new Deno.Command(command, {
    args: [...args],
    env: { ...env },
    clearEnv: true,
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
  }).spawn();
}

/** What the reader is started as: Deno without a permission, below the system's own limits where there are such. */
export function readerCommand({ memoryMb }: ReaderLimits, envOf: (name: string) => string | undefined): {
  readonly command: string;
  readonly args: readonly string[];
  /** The whole environment. */
  readonly env: Readonly<Record<string, string>>;
} {
  const env: Record<string, string> = { NO_COLOR: "1" };
  for (const name of PASSED) {
    const value = envOf(name);
    if (value !== undefined) env[name] = value;
  }
  const args = [
    "run",
    "--quiet",
    "--no-prompt",
    `--config=${fileURLToPath(new URL("../../deno.json", import.meta.url))}`,
    `--v8-flags=--max-old-space-size=${memoryMb}`,
    new URL("./reader_main.ts", import.meta.url).href,
  ];
  if (Deno.build.os === "windows") return { command: Deno.execPath(), args, env };
  // What is outside of the heap, such as an unpacked stream, is limited by the system where it can.
  const limit = `ulimit -c 0; ulimit -d ${(memoryMb * 2 + 400) * 1024} 2>/dev/null; exec "$0" "$@"`;
  return { command: "/bin/sh", args: ["-c", limit, Deno.execPath(), ...args], env };
}
